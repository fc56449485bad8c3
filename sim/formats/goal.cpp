#include "formats/goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "formats/file_complaint.hpp"
#include "formats/text_lines.hpp"
#include "formats/trace_builder.hpp"

namespace sim::formats
{

namespace
{

constexpr double kNanosecond = 1e-9;
constexpr std::int64_t kMostRanks = 1'000'000;
constexpr std::int64_t kMostCpus = 1024;

using Labels = std::map<std::string, std::uint32_t, std::less<>>;

/// An operation as written, until the rank's labels are all known.
struct Operation {
    TraceNode node;
    std::vector<std::uint32_t> waits_for;
};

class Reader
{
public:
    Reader(const std::string& name, const std::vector<TextLine>& lines)
        : complaints_{name}, lines_{lines}, builder_{"GOAL", rank_count()}
    {
    }

    Trace read()
    {
        complaints_.throw_if_any();
        for (at_ = 1; at_ < lines_.size();) {
            read_rank();
        }
        complaints_.throw_if_any();
        return builder_.take();
    }

private:
    std::uint32_t rank_count()
    {
        const auto& line = lines_.front();
        if (line.words.size() != 2) {
            complaints_.add(line, "must be num_ranks and their number");
            return 0;
        }
        const auto count = complaints_.whole(line, line.words[1], "the number of ranks", 1);
        if (count > kMostRanks) {
            complaints_.add(line, fmt::format("has more than {} ranks", kMostRanks));
            return 0;
        }
        return static_cast<std::uint32_t>(count);
    }

    /// rank N { ... }
    void read_rank()
    {
        const auto& head = lines_[at_++];
        const bool opens =
            head.words.size() == 3 && head.words[0] == "rank" && head.words[2] == "{";
        const auto rank = opens ? complaints_.whole(head, head.words[1], "the rank") : 0;
        if (!opens || rank >= builder_.ranks()) {
            complaints_.add(head,
                            opens ? fmt::format("is beyond the {} ranks", builder_.ranks())
                                  : "must open a rank",
                            "write: rank 0 {");
            complaints_.throw_if_any();
        }
        operations_.clear();
        labels_.clear();
        const auto first = at_;
        while (at_ < lines_.size() && lines_[at_].words.front() != "}") {
            read_operation(lines_[at_++]);
        }
        if (at_ == lines_.size()) {
            complaints_.add(head, "is not closed with }");
            complaints_.throw_if_any();
        }
        for (auto i = first; i < at_; ++i) {
            read_requirement(lines_[i]);
        }
        ++at_;
        for (const auto& operation : operations_) {
            builder_.add(static_cast<std::uint32_t>(rank), operation.node, operation.waits_for);
        }
    }

    /// LABEL: send 8b to 1 tag 0, recv 8b from 0 tag 0, calc 1000; the label may be missing.
    void read_operation(const TextLine& line)
    {
        auto words = std::span{line.words};
        if (words.size() > 1 && (words[1] == "requires" || words[1] == "irequires")) {
            return;
        }
        Operation operation;
        if (words.front().ends_with(':')) {
            const auto label = words.front().substr(0, words.front().size() - 1);
            const auto index = static_cast<std::uint32_t>(operations_.size());
            if (!labels_.emplace(label, index).second) {
                complaints_.add(line, fmt::format("names a second operation \"{}\"", label));
            }
            operation.node.label = builder_.label(std::string{label});
            words = words.subspan(1);
        } else {
            operation.node.label = builder_.label("unnamed");
        }
        if (words.size() >= 2 && words[0] == "calc") {
            operation.node.seconds =
                static_cast<double>(complaints_.whole(line, words[1], "the time")) * kNanosecond;
            read_options(line, words.subspan(2), operation.node);
        } else if (words.size() >= 4 && (words[0] == "send" || words[0] == "recv")) {
            read_message(line, words, operation.node);
        } else {
            complaints_.add(
                line, "is no operation",
                "write calc NS, send BYTESb to RANK tag N, recv BYTESb from RANK tag N, "
                "or A requires B");
        }
        operations_.push_back(std::move(operation));
    }

    void read_message(const TextLine& line, std::span<const std::string_view> words,
                      TraceNode& node)
    {
        const bool sends = words[0] == "send";
        node.kind = sends ? TraceKind::send : TraceKind::receive;
        auto size = words[1];
        if (!size.ends_with('b') || words[2] != (sends ? "to" : "from")) {
            complaints_.add(
                line, fmt::format("must be {} BYTESb {} RANK", words[0], sends ? "to" : "from"));
            return;
        }
        size.remove_suffix(1);
        node.size = complaints_.whole(line, size, "the size");
        node.peer = static_cast<std::uint32_t>(
            std::min(kMostRanks, complaints_.whole(line, words[3], "the rank")));
        read_options(line, words.subspan(4), node);
    }

    /// tag N, cpu N, nic N; a NIC's number changes nothing: GPUs have their own here.
    void read_options(const TextLine& line, std::span<const std::string_view> words,
                      TraceNode& node)
    {
        for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
            const auto value = complaints_.whole(line, words[i + 1], "an option's value");
            if (words[i] == "tag") {
                node.tag = value;
            } else if (words[i] == "cpu" && node.kind == TraceKind::compute) {
                node.lane = static_cast<std::uint32_t>(std::min(value, kMostCpus));
            } else if (words[i] != "cpu" && words[i] != "nic") {
                complaints_.add(line, fmt::format("\"{}\" is none of tag, cpu, nic", words[i]));
            }
        }
        if (words.size() % 2 != 0) {
            complaints_.add(line, fmt::format("\"{}\" has no value", words.back()));
        }
    }

    std::optional<std::uint32_t> find(const TextLine& line, std::string_view label)
    {
        const auto found = labels_.find(label);
        if (found == labels_.end()) {
            complaints_.add(line, fmt::format("there is no operation \"{}\" in this rank", label));
            return std::nullopt;
        }
        return found->second;
    }

    /// A requires B: when B has ended. A irequires B: when B has started, so when what B waits for
    /// has ended.
    void read_requirement(const TextLine& line)
    {
        const auto& words = line.words;
        if (words.size() < 2 || (words[1] != "requires" && words[1] != "irequires")) {
            return;
        }
        if (words.size() != 3) {
            complaints_.add(line, fmt::format("must be LABEL {} LABEL", words[1]));
            return;
        }
        const auto later = find(line, words[0]);
        const auto earlier = find(line, words[2]);
        if (!later || !earlier) {
            return;
        }
        auto& waits = operations_[*later].waits_for;
        if (words[1] == "requires") {
            waits.push_back(*earlier);
        } else {
            const auto& its = operations_[*earlier].waits_for;
            waits.insert(waits.end(), its.begin(), its.end());
        }
    }

    TextComplaints complaints_;
    const std::vector<TextLine>& lines_;
    TraceBuilder builder_;
    std::size_t at_ = 0;
    std::vector<Operation> operations_;
    Labels labels_;
};

}  // namespace

bool is_goal(const std::string& content)
{
    const auto lines = split_lines(std::string_view{content}.substr(0, 4096));
    return !lines.empty() && lines.front().words.front() == "num_ranks";
}

Trace read_goal(const std::string& name, const std::string& content)
{
    const auto lines = split_lines(content);
    if (lines.empty()) {
        throw InputError{{about(name, "is empty", "write num_ranks and their number first")}};
    }
    return Reader{name, lines}.read();
}

}  // namespace sim::formats
