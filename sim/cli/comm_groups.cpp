#include "cli/comm_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "core/split.hpp"

namespace sim::cli
{
namespace
{

template <class T>
std::optional<T> number(std::string_view text)
{
    T value{};
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (error != std::errc{} || text.find_first_not_of(" \r") != text.npos) {
        return std::nullopt;
    }
    return value;
}

struct Range {
    std::size_t from;
    std::size_t to;
    std::size_t step;
};

std::optional<Range> parse_range(std::string_view text)
{
    const auto stepped = sim::split(text, ':');
    const auto ends = sim::split(stepped.front(), '-');
    if (ends.size() > 2 || stepped.size() > 2) {
        return std::nullopt;
    }
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    const auto from = number<std::size_t>(ends.front()).value_or(kNone);
    const auto to = number<std::size_t>(ends.back()).value_or(kNone);
    const auto step = stepped.size() == 1 ? 1 : number<std::size_t>(stepped.back()).value_or(0);
    if (from == kNone || to == kNone || step == 0 || to < from) {
        return std::nullopt;
    }
    return Range{from, to, step};
}

}  // namespace

std::vector<RankId> parse_ranks(const std::string& text, std::size_t count)
{
    std::vector<std::size_t> ranks;
    const auto first = text.empty() ? std::optional{count} : number<std::size_t>(text);
    if (first) {
        ranks.resize(std::min(*first, count + 1));
        std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    }
    for (const auto part : first ? std::vector<std::string_view>{} : sim::split(text, ',')) {
        const auto range = parse_range(part);
        if (!range) {
            refuse("--ranks", fmt::format("\"{}\" is no rank and no range of ranks", part),
                   "write a number of GPUs, or ranks such as 0-7,16 or 0-63:8");
        }
        for (auto rank = range->from; rank <= std::min(range->to, count); rank += range->step) {
            ranks.push_back(rank);
        }
    }
    if (!ranks.empty() && *std::max_element(ranks.begin(), ranks.end()) >= count) {
        refuse("--ranks", fmt::format("{} asks for more than the cluster's {} GPUs", text, count),
               "write --set nodes=N for a larger cluster");
    }
    if (ranks.empty() || std::set<std::size_t>(ranks.begin(), ranks.end()).size() < ranks.size()) {
        refuse("--ranks", fmt::format("\"{}\" names no rank, or one twice", text), "");
    }
    std::vector<RankId> members;
    for (const auto rank : ranks) {
        members.emplace_back(rank);
    }
    return members;
}

std::vector<std::vector<GpuId>> split(const std::vector<GpuId>& members, std::size_t groups,
                                      bool strided)
{
    if (groups == 0 || members.size() % groups != 0) {
        refuse("--groups",
               fmt::format("{} GPUs do not make {} equal groups", members.size(), groups),
               "write a number that divides them");
    }
    const auto each = members.size() / groups;
    std::vector<std::vector<GpuId>> split(groups);
    for (std::size_t i = 0; i < members.size(); ++i) {
        split[strided ? i % groups : i / each].push_back(members[i]);
    }
    return split;
}

std::vector<double> read_parts(const std::string& path, std::size_t members, double size)
{
    std::ifstream file{path};
    if (!file) {
        throw Error{fmt::format("cannot read {}", path)};
    }
    std::vector<double> parts;
    double most = 0;
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line); ++lines) {
        double sum = 0;
        const auto cells = sim::split(line, ',');
        for (const auto& cell : cells) {
            const auto value = number<double>(cell);
            if (!value || !(*value >= 0) || *value > 1e300) {
                refuse(fmt::format("{}:{}", path, lines + 1),
                       fmt::format("\"{}\" is not a number of 0 or more", cell), "");
            }
            // What a rank keeps crosses nothing.
            const bool kept = parts.size() == lines * members + lines;
            sum += kept ? 0 : *value;
            parts.push_back(kept ? 0 : *value);
        }
        if (cells.size() != members) {
            refuse(
                fmt::format("{}:{}", path, lines + 1),
                fmt::format("has {} numbers, not one for each of {} ranks", cells.size(), members),
                "");
        }
        most = std::max(most, sum);
    }
    if (lines != members || !(most > 0)) {
        refuse(path, fmt::format("has {} lines, or nothing to send, for {} ranks", lines, members),
               "write a line for each rank: what it sends to each");
    }
    for (auto& part : parts) {
        part *= size / most;
    }
    return parts;
}

}  // namespace sim::cli
