#include "replay/instances.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "core/contract.hpp"

namespace sim::replay
{

Instances every_rank(const Machine& machine, const workload::TaskGraph& job)
{
    Instances instances{machine.cluster(), job, job};
    for (std::uint32_t rank = 0; rank < job.ranks(); ++rank) {
        const auto gpu = machine.gpu_of(RankId{rank});
        instances.gpus.push_back({machine.sm(gpu), machine.hbm(gpu)});
        instances.instance_of_rank.push_back(rank);
    }
    for (const auto& resource : machine.resources()) {
        instances.supplies.push_back(
            {resource.id, resource.kind, resource.capacity, resource.bundle, 1});
    }
    for (std::size_t i = 0; i < job.communicators.size(); ++i) {
        instances.communicators.emplace_back(i);
    }
    return instances;
}

std::vector<std::uint64_t> multiplicities(const Instances& instances)
{
    std::vector<std::uint64_t> counts(instances.graph.ranks());
    for (const auto instance : instances.instance_of_rank) {
        ++counts[instance];
    }
    return counts;
}

RankId rank_in(const Instances& instances, CommunicatorId group, RankId instance)
{
    const auto communicator = instances.communicators[group.index()];
    const auto& members = instances.job.communicators[communicator.index()].members;
    const auto found = std::find_if(members.begin(), members.end(), [&](RankId rank) {
        return instances.instance_of_rank[rank.index()] == instance.index();
    });
    SIM_EXPECT(found != members.end());
    return *found;
}

std::string supply_name(const Machine& machine, const Supply& supply)
{
    auto name = machine.name(supply.representative);
    if (supply.members > 1) {
        name += fmt::format(" and {} like it", supply.members - 1);
    }
    return name;
}

Audited audited(const Machine& machine, const Instances& instances)
{
    Audited audited;
    for (const auto& supply : instances.supplies) {
        audited.resources.push_back({supply.capacity, machine.schedule(supply.representative)});
    }
    audited.name = [&machine, &instances](ResourceId resource) {
        return supply_name(machine, instances.supplies[resource.index()]);
    };
    return audited;
}

void add_to(engine::Engine& engine, const Machine& machine, const Instances& instances)
{
    for (std::size_t i = 0; i < instances.supplies.size(); ++i) {
        const auto& supply = instances.supplies[i];
        const auto id = engine.add_resource({supply_name(machine, supply), supply.capacity,
                                             machine.schedule(supply.representative)});
        SIM_EXPECT(id.index() == i);
    }
}

}  // namespace sim::replay
