#include "replay/fold_structure.hpp"

#include <algorithm>

#include "core/fingerprint.hpp"

namespace sim::replay
{

FoldStructure::FoldStructure(const workload::TaskGraph& job, Lowering& lowering)
    : job_{job}, rendezvous_{job}
{
    for (std::size_t c = 0; c < job.communicators.size(); ++c) {
        first_plan_.push_back(static_cast<std::uint32_t>(plans_.size()));
        add_plans(c, lowering);
    }
    first_plan_.push_back(static_cast<std::uint32_t>(plans_.size()));
    for (std::size_t rank = 0; rank < job.ranks(); ++rank) {
        first_copy_.push_back(static_cast<std::uint32_t>(copies_.size()));
        const auto copies = job.programs[job.program_of_rank[rank].index()].copies.size();
        for (std::uint32_t payload = 0; payload < copies; ++payload) {
            copies_.push_back({payload, &lowering.copy(RankId{rank}, payload)});
        }
    }
    first_copy_.push_back(static_cast<std::uint32_t>(copies_.size()));
}

/// All members ask the same, or the run ends with an error; so the first one tells.
void FoldStructure::add_plans(std::size_t communicator, Lowering& lowering)
{
    const auto first = members(communicator).front();
    const auto& program = job_.programs[job_.program_of_rank[first.rank.index()].index()];
    const auto begin = static_cast<std::ptrdiff_t>(first_plan_.back());
    for (const auto& asked : program.collectives) {
        if (asked.slot != first.slot) {
            continue;
        }
        const auto& lowered = lowering.collective(CommunicatorId{communicator}, asked);
        const bool known =
            std::any_of(plans_.begin() + begin, plans_.end(),
                        [&](const FoldPlan& plan) { return plan.lowered == &lowered; });
        if (!known) {
            plans_.push_back({&asked, &lowered, static_cast<std::uint32_t>(flows_.size())});
            add_flows(communicator, lowered);
        }
    }
}

void FoldStructure::add_flows(std::size_t communicator, const LoweredCollective& lowered)
{
    const auto plan = plans_.size() - first_plan_.back();
    for (std::size_t p = 0; p < lowered.phases.size(); ++p) {
        const auto phase = lowered.phases[p];
        for (std::uint32_t i = 0; i < phase.flows; ++i) {
            const auto& flow = lowered.flows[phase.first_flow + i];
            Fingerprint look;
            look.add(plan);
            look.add(p);
            look.add(flow.amount);
            look.add(flow.latency.base());
            look.add(flow.share);
            look.add(flow.rate_cap);
            flows_.push_back({CommunicatorId{communicator},
                              look.value(),
                              {lowered.uses.data() + flow.first_use, flow.uses}});
        }
    }
}

}  // namespace sim::replay
