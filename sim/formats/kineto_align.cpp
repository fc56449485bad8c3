#include "formats/kineto_align.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace sim::formats
{

namespace
{

constexpr double kMicrosecond = 1e-6;

/// What a rank does in one group, in order.
using Meetings = std::vector<const KinetoMeeting*>;

std::vector<std::vector<Meetings>> by_rank_and_group(const std::vector<KinetoRank>& ranks,
                                                     std::size_t groups)
{
    std::vector<std::vector<Meetings>> all;
    for (const auto& rank : ranks) {
        auto& mine = all.emplace_back(groups);
        for (const auto& meeting : rank.meetings) {
            const auto& node = rank.rank.nodes[meeting.node];
            if (node.kind == TraceKind::collective) {
                mine[node.group].push_back(&meeting);
            }
        }
    }
    return all;
}

/// By how much the first clock is ahead of the other's: the middle of what the meetings say.
std::optional<double> ahead(const Meetings& mine, const Meetings& other)
{
    std::vector<double> differences;
    for (std::size_t i = 0; i < std::min(mine.size(), other.size()); ++i) {
        differences.push_back(mine[i]->end_us - other[i]->end_us);
    }
    if (differences.empty()) {
        return std::nullopt;
    }
    const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
    std::nth_element(differences.begin(), middle, differences.end());
    return *middle;
}

/// Offsets of the clocks to rank 0's; a rank that shares no group with those known keeps its own.
std::vector<double> offsets(const std::vector<std::vector<Meetings>>& meetings, const Trace& trace)
{
    std::vector<std::optional<double>> known(meetings.size());
    known[0] = 0;
    for (bool found = true; found;) {
        found = false;
        for (std::size_t group = 0; group < trace.groups.size(); ++group) {
            const auto& members = trace.groups[group].ranks;
            const auto reference =
                std::find_if(members.begin(), members.end(),
                             [&](std::uint32_t rank) { return known[rank].has_value(); });
            if (reference == members.end()) {
                continue;
            }
            for (const auto rank : members) {
                const auto by = ahead(meetings[rank][group], meetings[*reference][group]);
                if (!known[rank] && by) {
                    known[rank] = *known[*reference] + *by;
                    found = true;
                }
            }
        }
    }
    std::vector<double> all;
    for (const auto& each : known) {
        all.push_back(each.value_or(0));
    }
    return all;
}

void take_shortest(const std::vector<std::vector<Meetings>>& meetings,
                   std::vector<KinetoRank>& ranks, const Trace& trace)
{
    for (std::size_t group = 0; group < trace.groups.size(); ++group) {
        const auto& members = trace.groups[group].ranks;
        auto count = meetings[members[0]][group].size();
        for (const auto rank : members) {
            count = std::min(count, meetings[rank][group].size());
        }
        for (std::size_t k = 0; k < count; ++k) {
            const auto node = [&](std::uint32_t rank) -> TraceNode& {
                return ranks[rank].rank.nodes[meetings[rank][group][k]->node];
            };
            auto shortest = node(members[0]).seconds;
            auto largest = node(members[0]).size;
            for (const auto rank : members) {
                shortest = std::min(shortest, node(rank).seconds);
                largest = std::max(largest, node(rank).size);
            }
            for (const auto rank : members) {
                node(rank).seconds = shortest;
                // Uneven all-to-alls are taken for even ones of the largest size.
                if (node(rank).collective == workload::CollectiveKind::all_to_all) {
                    node(rank).size = largest;
                }
            }
        }
    }
}

}  // namespace

void align_kineto(const std::vector<KinetoRecording>& recordings, std::vector<KinetoRank>& ranks,
                  Trace& trace)
{
    const auto meetings = by_rank_and_group(ranks, trace.groups.size());
    const auto ahead_of_first = offsets(meetings, trace);
    const auto at = [&](std::size_t rank, double time_us) {
        return time_us - ahead_of_first[rank];
    };
    auto first = at(0, recordings[0].first_us);
    auto last = at(0, recordings[0].last_us);
    for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
        first = std::min(first, at(rank, recordings[rank].first_us));
        last = std::max(last, at(rank, recordings[rank].last_us));
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        ranks[rank].rank.nodes[0].seconds =
            (at(rank, recordings[rank].first_us) - first) * kMicrosecond;
    }
    trace.recorded_seconds = (last - first) * kMicrosecond;
    take_shortest(meetings, ranks, trace);
}

}  // namespace sim::formats
