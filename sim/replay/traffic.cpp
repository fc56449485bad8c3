#include "replay/traffic.hpp"

#include <algorithm>
#include <utility>

#include "core/contract.hpp"

namespace sim::replay
{

namespace
{

std::uint32_t first_slot(const workload::TaskGraph& graph, RankId rank, CommunicatorId communicator)
{
    const auto* slots = graph.slots.data() + std::size_t{rank.index()} * graph.slots_per_rank;
    const auto* found = std::find(slots, slots + graph.slots_per_rank, communicator.index());
    return static_cast<std::uint32_t>(found - slots);
}

}  // namespace

std::vector<PlanOfStep> plans_of_step(const workload::TaskGraph& graph, Lowering& lowering,
                                      CommunicatorId communicator)
{
    std::vector<PlanOfStep> counts;
    const auto rank = graph.communicators[communicator.index()].members.front();
    const auto& program = graph.programs[graph.program_of_rank[rank.index()].index()];
    const auto slot = first_slot(graph, rank, communicator);
    for (const auto& stream : program.streams) {
        for (const auto& task : stream.tasks) {
            if (task.kind != workload::TaskKind::collective ||
                program.collectives[task.payload].slot != slot) {
                continue;
            }
            const auto* plan =
                &lowering.collective(communicator, program.collectives[task.payload]);
            std::size_t at = 0;
            while (at < counts.size() && counts[at].plan != plan) {
                ++at;
            }
            if (at == counts.size()) {
                counts.push_back({plan, &program.collectives[task.payload], 0});
            }
            counts[at].times += 1;
        }
    }
    return counts;
}

namespace
{

/// What a rank copies counts for that rank alone.
void count_copies(StepTraffic& row, const workload::Program& program)
{
    for (const auto& stream : program.streams) {
        for (const auto& task : stream.tasks) {
            if (task.kind == workload::TaskKind::copy) {
                const auto& copy = program.copies[task.payload];
                row[static_cast<std::size_t>(copy.purpose)].bytes +=
                    static_cast<double>(copy.size.base());
            }
        }
    }
}

}  // namespace

std::vector<StepTraffic> step_traffic(const workload::TaskGraph& graph, Lowering& lowering)
{
    std::vector<StepTraffic> traffic(graph.ranks());
    for (std::size_t c = 0; c < graph.communicators.size(); ++c) {
        const auto& communicator = graph.communicators[c];
        SIM_EXPECT(!communicator.members.empty());
        for (const auto& [plan, asked, times] : plans_of_step(graph, lowering, CommunicatorId{c})) {
            for (std::size_t member = 0; member < communicator.members.size(); ++member) {
                auto& row = traffic[communicator.members[member].index()];
                auto& sent = row[static_cast<std::size_t>(communicator.purpose)];
                sent.bytes += times * plan->traffic[member].bytes;
                sent.nic_bytes += times * plan->traffic[member].nic_bytes;
            }
        }
    }
    for (std::size_t rank = 0; rank < graph.ranks(); ++rank) {
        count_copies(traffic[rank], graph.programs[graph.program_of_rank[rank].index()]);
    }
    return traffic;
}

}  // namespace sim::replay
