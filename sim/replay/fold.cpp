#include "replay/fold.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sim::replay
{

namespace
{

/// The members of a group, and the first member of its communicator that each stands for.
struct Ports {
    std::vector<RankId> instances;
    std::vector<std::size_t> positions;
};

Ports ports_of(const FoldStructure& structure, const Partition& partition, std::size_t communicator)
{
    using Named = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::size_t>;
    std::vector<Named> named;
    const auto members = structure.members(communicator);
    for (std::size_t i = 0; i < members.size(); ++i) {
        named.push_back({{partition.ranks.of[members[i].rank.index()], members[i].slot}, i});
    }
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end(),
                            [](const Named& a, const Named& b) { return a.first == b.first; }),
                named.end());
    Ports ports;
    for (const auto& [port, position] : named) {
        ports.instances.emplace_back(port.first);
        ports.positions.push_back(position);
    }
    return ports;
}

/// The job's graph with one rank a class of ranks and one communicator a class of those.
workload::TaskGraph fold_graph(const FoldStructure& structure, const Partition& partition)
{
    const auto& job = structure.job();
    workload::TaskGraph graph;
    graph.programs = job.programs;
    graph.labels = job.labels;
    graph.slots_per_rank = job.slots_per_rank;
    graph.model_flops = job.model_flops;
    graph.tokens = job.tokens;
    for (const auto rank : partition.ranks.first) {
        graph.program_of_rank.push_back(job.program_of_rank[rank]);
        const auto* slots = job.slots.data() + std::size_t{rank} * job.slots_per_rank;
        std::transform(slots, slots + job.slots_per_rank, std::back_inserter(graph.slots),
                       [&](std::uint32_t communicator) {
                           return communicator == workload::kNoCommunicator
                                      ? communicator
                                      : partition.communicators.of[communicator];
                       });
    }
    for (const auto communicator : partition.communicators.first) {
        graph.communicators.push_back({job.communicators[communicator].purpose,
                                       ports_of(structure, partition, communicator).instances});
    }
    return graph;
}

class Folding
{
public:
    Folding(const FoldStructure& structure, const Partition& partition)
        : structure_{structure},
          partition_{partition},
          seen_flow_(partition.flows.first.size()),
          place_(partition.resources.first.size())
    {
    }

    [[nodiscard]] LoweredCollective plan(const FoldPlan& plan,
                                         const std::vector<std::size_t>& positions);

    /// Of a rank that stands for its class.
    [[nodiscard]] LoweredCopy copy(const LoweredCopy& lowered, std::uint32_t members);

private:
    void add_flow(LoweredCollective& folded, const LoweredFlow& flow, std::uint32_t number);
    void add_uses(std::vector<engine::Use>& folded, std::span<const engine::Use> uses,
                  std::uint32_t members);

    const FoldStructure& structure_;
    const Partition& partition_;
    std::vector<char> seen_flow_;       ///< by class: it has its flow already
    std::vector<std::uint32_t> place_;  ///< scratch: where a class of resources is in the uses
};

LoweredCollective Folding::plan(const FoldPlan& plan, const std::vector<std::size_t>& positions)
{
    const auto& lowered = *plan.lowered;
    LoweredCollective folded;
    folded.binding = lowered.binding;
    folded.lower_bound = lowered.lower_bound;
    folded.holds_sms = lowered.holds_sms;
    auto number = plan.first_flow;
    for (const auto& phase : lowered.phases) {
        const auto first = static_cast<std::uint32_t>(folded.flows.size());
        for (std::uint32_t i = 0; i < phase.flows; ++i) {
            add_flow(folded, lowered.flows[phase.first_flow + i], number++);
        }
        folded.phases.push_back({first, static_cast<std::uint32_t>(folded.flows.size()) - first});
    }
    for (const auto position : positions) {
        folded.traffic.push_back(lowered.traffic[position]);
    }
    return folded;
}

/// The first of its class stands for all of them.
void Folding::add_flow(LoweredCollective& folded, const LoweredFlow& flow, std::uint32_t number)
{
    const auto its = partition_.flows.of[number];
    if (std::exchange(seen_flow_[its], 1) != 0) {
        return;
    }
    const auto first = folded.uses.size();
    add_uses(folded.uses, structure_.flows()[number].uses, partition_.flows.size[its]);
    folded.flows.push_back({flow.amount, flow.latency, flow.share, flow.rate_cap,
                            static_cast<std::uint32_t>(first),
                            static_cast<std::uint32_t>(folded.uses.size() - first)});
}

/// What `members` activities that use alike take together of one member of each class of resources.
void Folding::add_uses(std::vector<engine::Use>& folded, std::span<const engine::Use> uses,
                       std::uint32_t members)
{
    const auto first = folded.size();
    for (const auto& use : uses) {
        const auto resource = partition_.resources.of[use.resource.index()];
        auto& place = place_[resource];
        if (place < first || place >= folded.size() || folded[place].resource.index() != resource) {
            place = static_cast<std::uint32_t>(folded.size());
            folded.push_back({ResourceId{resource}, 0});
        }
        folded[place].consumption += use.consumption;
    }
    for (auto use = folded.begin() + static_cast<std::ptrdiff_t>(first); use != folded.end();
         ++use) {
        const double alike = partition_.resources.size[use->resource.index()];
        use->consumption = use->consumption * members / alike;
    }
}

LoweredCopy Folding::copy(const LoweredCopy& lowered, std::uint32_t members)
{
    auto folded = lowered;
    folded.uses.clear();
    add_uses(folded.uses, lowered.uses, members);
    return folded;
}

}  // namespace

Folded::Folded(const Machine& machine, const FoldStructure& structure, const Partition& partition)
    : graph_{fold_graph(structure, partition)},
      instances_{machine.cluster(), structure.job(), graph_},
      lowering_{machine, graph_}
{
    for (const auto rank : partition.ranks.first) {
        const auto gpu = machine.gpu_of(RankId{rank});
        const auto class_of = [&](ResourceId resource) {
            return ResourceId{partition.resources.of[resource.index()]};
        };
        instances_.gpus.push_back({class_of(machine.sm(gpu)), class_of(machine.hbm(gpu))});
    }
    for (std::size_t r = 0; r < partition.resources.first.size(); ++r) {
        const auto& resource = machine.resources()[partition.resources.first[r]];
        instances_.supplies.push_back({resource.id, resource.kind, resource.capacity,
                                       resource.bundle, partition.resources.size[r]});
    }
    instances_.instance_of_rank = partition.ranks.of;
    instances_.supply_of = partition.resources.of;
    Folding folding{structure, partition};
    for (std::size_t i = 0; i < partition.ranks.first.size(); ++i) {
        for (const auto& copy : structure.copies(partition.ranks.first[i])) {
            lowering_.adopt(RankId{i}, copy.payload,
                            folding.copy(*copy.lowered, partition.ranks.size[i]));
        }
    }
    for (const auto communicator : partition.communicators.first) {
        const CommunicatorId group{instances_.communicators.size()};
        instances_.communicators.emplace_back(communicator);
        const auto ports = ports_of(structure, partition, communicator);
        for (const auto& plan : structure.plans(communicator)) {
            lowering_.adopt(group, *plan.asked, folding.plan(plan, ports.positions));
        }
    }
}

std::unique_ptr<Folded> fold(const Machine& machine, const workload::TaskGraph& job,
                             Lowering& lowering)
{
    const FoldStructure structure{job, lowering};
    const auto found = partition(machine, structure);
    if (found.ranks.first.size() == job.ranks()) {
        return nullptr;
    }
    return std::make_unique<Folded>(machine, structure, found);
}

}  // namespace sim::replay
