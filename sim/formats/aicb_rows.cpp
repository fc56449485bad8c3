#include "formats/aicb_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace sim::formats
{

namespace
{

using workload::CollectiveKind;

constexpr std::int64_t kBarrierBytes = 4;

std::vector<std::string_view> cells(std::string_view text)
{
    std::vector<std::string_view> all;
    for (;;) {
        const auto comma = text.find(',');
        auto cell = text.substr(0, comma);
        while (!cell.empty() && (cell.back() == '\r' || cell.back() == ' ')) {
            cell.remove_suffix(1);
        }
        all.push_back(cell);
        if (comma == std::string_view::npos) {
            return all;
        }
        text.remove_prefix(comma + 1);
    }
}

/// "[rank0 ~ rank127]" or "[ pp_stage0: [rank0, rank1] ]".
std::vector<std::uint32_t> ranks_in(std::string_view text)
{
    constexpr std::string_view kRank = "rank";
    std::vector<std::uint32_t> ranks;
    for (auto at = text.find(kRank); at != std::string_view::npos; at = text.find(kRank, at + 1)) {
        std::uint32_t rank = 0;
        const auto* begin = text.data() + at + kRank.size();
        if (std::from_chars(begin, text.data() + text.size(), rank).ptr != begin) {
            ranks.push_back(rank);
        }
    }
    constexpr std::uint32_t kMost = 1'000'000;
    const bool range = text.find('~') != std::string_view::npos && ranks.size() == 2;
    if (range && ranks[0] <= ranks[1] && ranks[1] < kMost) {
        const auto last = ranks[1];
        for (ranks.pop_back(); ranks.back() < last;) {
            ranks.push_back(ranks.back() + 1);
        }
    }
    return ranks;
}

/// The word after the dot of "CommType.all_reduce".
std::string_view word_of(std::string_view cell)
{
    const auto dot = cell.rfind('.');
    return dot == std::string_view::npos ? cell : cell.substr(dot + 1);
}

class Reader
{
public:
    explicit Reader(TextComplaints& complaints) : complaints_{complaints} {}

    std::vector<AicbSection> read(const std::vector<TextLine>& lines)
    {
        for (const auto& line : lines) {
            if (line.text.starts_with('[')) {
                sections_.push_back({ranks_in(line.text), {}});
            } else if (line.text.starts_with("comm_type")) {
                columns_ = cells(line.text);
            } else {
                read_row(line);
            }
        }
        return std::move(sections_);
    }

private:
    void read_row(const TextLine& line)
    {
        const auto row = cells(line.text);
        if (columns_.empty()) {
            complaints_.add(line, "stands before the line of columns (comm_type,...)");
            return;
        }
        if (row.size() != columns_.size()) {
            complaints_.add(line, fmt::format("has {} cells, but there are {} columns", row.size(),
                                              columns_.size()));
            return;
        }
        const auto cell = [&](std::string_view name) {
            const auto at = std::find(columns_.begin(), columns_.end(), name) - columns_.begin();
            return static_cast<std::size_t>(at) < row.size() ? row[static_cast<std::size_t>(at)]
                                                             : std::string_view{};
        };
        AicbRow made;
        made.line = line;
        const auto type = word_of(cell("comm_type"));
        if (type == "epoch_end") {
            return;
        }
        if (!read_kind(type, made)) {
            complaints_.add(line, fmt::format("comm_type \"{}\" cannot be simulated", type));
            return;
        }
        made.group = word_of(cell("comm_group"));
        made.label = std::string{cell("stage")};
        made.to_next = cell("additional").find("next") != std::string_view::npos;
        made.bytes = size(line, cell("msg_size"), type == "barrier");
        if (const auto members = cell("comm_group_size"); !members.empty() && members != "None") {
            made.members = complaints_.whole(line, members, "comm_group_size", 1);
        }
        if (const auto count = cell("count"); !count.empty() && count != "None") {
            made.count = complaints_.whole(line, count, "count", 0);
        }
        if (sections_.empty()) {
            sections_.emplace_back();
        }
        sections_.back().rows.push_back(std::move(made));
    }

    std::int64_t size(const TextLine& line, std::string_view cell, bool barrier)
    {
        const auto bytes = barrier && (cell.empty() || cell == "None")
                               ? 0
                               : complaints_.whole(line, cell, "msg_size", 0);
        return barrier ? std::max(bytes, kBarrierBytes) : bytes;
    }

    static bool read_kind(std::string_view type, AicbRow& row)
    {
        constexpr std::array<std::pair<std::string_view, CollectiveKind>, 7> kKinds{
            {{"all_reduce", CollectiveKind::all_reduce},
             {"all_gather", CollectiveKind::all_gather},
             {"reduce_scatter", CollectiveKind::reduce_scatter},
             {"all_to_all", CollectiveKind::all_to_all},
             {"broadcast", CollectiveKind::broadcast},
             {"barrier", CollectiveKind::all_reduce},
             {"all_gather_into_tensor", CollectiveKind::all_gather}}};
        if (type == "isend" || type == "irecv") {
            row.way = type == "isend" ? AicbRow::Way::send : AicbRow::Way::receive;
            return true;
        }
        for (const auto& [word, kind] : kKinds) {
            if (word == type) {
                row.kind = kind;
                return true;
            }
        }
        return false;
    }

    TextComplaints& complaints_;
    std::vector<std::string_view> columns_;
    std::vector<AicbSection> sections_;
};

}  // namespace

std::vector<AicbSection> read_aicb_rows(const std::vector<TextLine>& lines,
                                        TextComplaints& complaints)
{
    return Reader{complaints}.read(lines);
}

}  // namespace sim::formats
