#include "replay/chunk.hpp"

#include <utility>

#include "core/contract.hpp"

namespace sim::replay
{

void index_members(ChunkPlan& plan)
{
    plan.hops_of.assign(std::size_t{plan.phases} * plan.members, {});
    for (std::uint32_t hop = 0; hop < plan.hops.size(); ++hop) {
        const auto first = std::size_t{plan.hops[hop].phase} * plan.members;
        plan.hops_of[first + plan.hops[hop].from].push_back(hop);
        plan.hops_of[first + plan.hops[hop].to].push_back(hop);
    }
    plan.after.assign(plan.hops.size(), {});
    for (std::uint32_t hop = 0; hop < plan.hops.size(); ++hop) {
        const auto& at = plan.hops[hop];
        for (std::uint32_t i = 0; i < at.befores; ++i) {
            plan.after[plan.before[at.first_before + i]].push_back(hop);
        }
    }
}

ChunkRun::ChunkRun(const ChunkPlan& plan)
    : plan_{plan}, progress_(plan.hops.size()), phase_(plan.members), left_(plan.members)
{
}

void ChunkRun::enter(std::uint32_t member)
{
    SIM_EXPECT(phase_[member] == 0);
    next_phase(member);
}

void ChunkRun::next_phase(std::uint32_t member)
{
    while (phase_[member] < plan_.phases) {
        const auto& hops = plan_.hops_of[std::size_t{phase_[member]} * plan_.members + member];
        ++phase_[member];
        left_[member] = static_cast<std::uint32_t>(hops.size());
        if (hops.empty()) {
            continue;
        }
        for (const auto hop : hops) {
            try_start(hop);
        }
        return;
    }
    through_.push_back(member);
    ++through_count_;
}

void ChunkRun::try_start(std::uint32_t hop)
{
    const auto& at = plan_.hops[hop];
    auto& progress = progress_[hop];
    if (progress.running || progress.done == at.steps || phase_[at.from] <= at.phase ||
        phase_[at.to] <= at.phase) {
        return;
    }
    for (std::uint32_t i = 0; i < at.befores; ++i) {
        if (progress_[plan_.before[at.first_before + i]].done < progress.done + at.ahead) {
            return;
        }
    }
    progress.running = true;
    ready_.push_back(hop);
}

void ChunkRun::step_ended(std::uint32_t hop)
{
    const auto& at = plan_.hops[hop];
    auto& progress = progress_[hop];
    SIM_EXPECT(progress.running);
    progress.running = false;
    ++progress.done;
    try_start(hop);
    for (const auto after : plan_.after[hop]) {
        try_start(after);
    }
    if (progress.done == at.steps) {
        member_ended_hop(at.from);
        member_ended_hop(at.to);
    }
}

void ChunkRun::member_ended_hop(std::uint32_t member)
{
    if (--left_[member] == 0) {
        next_phase(member);
    }
}

Time ChunkRun::latency(std::uint32_t hop) const
{
    const auto& at = plan_.hops[hop];
    const bool is_first = at.phase == 0 && progress_[hop].done == 0;
    const bool waited = at.ahead > 0 && at.befores > 0;
    return is_first && !waited ? at.latency + plan_.launch : at.latency;
}

std::vector<std::uint32_t> ChunkRun::take_through() { return std::exchange(through_, {}); }

}  // namespace sim::replay
