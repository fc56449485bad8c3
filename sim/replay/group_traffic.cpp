#include "replay/group_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "replay/ledger.hpp"

namespace sim::replay
{

namespace
{

using Stages = std::pair<std::uint32_t, std::uint32_t>;  ///< who sends, who receives

std::uint32_t stage_of(const workload::TaskGraph& job, RankId rank)
{
    return job.programs[job.program_of_rank[rank.index()].index()].stage;
}

/// How often a program asks for each of its collectives in a step.
std::vector<double> times_asked(const workload::Program& program)
{
    std::vector<double> times(program.collectives.size());
    for (const auto& stream : program.streams) {
        for (const auto& task : stream.tasks) {
            if (task.kind == workload::TaskKind::collective) {
                times[task.payload] += 1;
            }
        }
    }
    return times;
}

/// What the members of communicators send. Programs are read once: many ranks share them.
class Sent
{
public:
    Sent(const workload::TaskGraph& job, Lowering& planner) : job_{job}, planner_{planner}
    {
        for (const auto& program : job.programs) {
            times_.push_back(times_asked(program));
        }
    }

    /// By member, in a step. All members run the same collectives, so the first one tells.
    [[nodiscard]] std::vector<Traffic> by_member(CommunicatorId group)
    {
        const auto& members = job_.communicators[group.index()].members;
        const auto rank = std::size_t{members.front().index()};
        const auto number = job_.program_of_rank[rank].index();
        const auto& collectives = job_.programs[number].collectives;
        // A rank that is a member twice meets itself through two slots.
        const auto* slots = job_.slots.data() + rank * job_.slots_per_rank;
        const auto slot = std::find(slots, slots + job_.slots_per_rank, group.index()) - slots;
        std::vector<Traffic> sums(members.size());
        for (std::size_t payload = 0; payload < collectives.size(); ++payload) {
            const double times = times_[number][payload];
            if (times > 0 && collectives[payload].slot == slot) {
                const auto& plan = planner_.collective(group, collectives[payload]);
                for (std::size_t member = 0; member < sums.size(); ++member) {
                    sums[member].bytes += times * plan.traffic[member].bytes;
                    sums[member].nic_bytes += times * plan.traffic[member].nic_bytes;
                }
            }
        }
        return sums;
    }

private:
    const workload::TaskGraph& job_;
    Lowering& planner_;
    std::vector<std::vector<double>> times_;  ///< by program and payload
};

/// What a member sends goes in equal parts to the others: of two members, or in one stage, that is
/// what happens.
std::map<Stages, Traffic> between_stages(const workload::TaskGraph& job,
                                         const workload::Communicator& group,
                                         const std::vector<Traffic>& sent)
{
    std::map<std::uint32_t, double> members;
    for (const auto rank : group.members) {
        members[stage_of(job, rank)] += 1;
    }
    std::map<Stages, Traffic> sums;
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const auto from = stage_of(job, group.members[i]);
        const auto others = static_cast<double>(sent.size() - 1);
        for (const auto& [to, count] : members) {
            const double there = count - (to == from ? 1 : 0);
            if (there > 0 && sent[i].bytes > 0) {
                auto& sum = sums[{from, to}];
                sum.bytes += sent[i].bytes * (there / others);
                sum.nic_bytes += sent[i].nic_bytes * (there / others);
            }
        }
    }
    return sums;
}

}  // namespace

std::vector<GroupTraffic> group_traffic(const workload::TaskGraph& job, Lowering& planner)
{
    const bool apart = job.ranks() <= kMostApartRanks;
    using Key = std::tuple<workload::Purpose, Stages, std::size_t, std::int64_t, std::int64_t>;
    std::map<Key, std::size_t> known;
    std::vector<GroupTraffic> groups;
    Sent sent{job, planner};
    for (std::size_t c = 0; c < job.communicators.size(); ++c) {
        const auto& group = job.communicators[c];
        const auto [first, last] = std::minmax_element(group.members.begin(), group.members.end());
        const auto traffic = between_stages(job, group, sent.by_member(CommunicatorId{c}));
        for (const auto& [stages, sum] : traffic) {
            const Key key{group.purpose, stages, group.members.size(), std::llround(sum.bytes),
                          std::llround(sum.nic_bytes)};
            const auto [at, is_new] = known.emplace(key, groups.size());
            if (!apart && !is_new) {
                ++groups[at->second].groups;
                continue;
            }
            groups.push_back({name(group.purpose), stages.first, stages.second, first->index(),
                              last->index(), static_cast<std::uint32_t>(group.members.size()), 1,
                              sum.bytes, sum.nic_bytes});
        }
    }
    return groups;
}

}  // namespace sim::replay
