#include "replay/machine.hpp"

#include <array>

#include "core/contract.hpp"

namespace sim::replay
{

const char* name(ResourceKind kind)
{
    static constexpr std::array<const char*, kResourceKinds> kNames{
        "sm",         "hbm",  "nvlink", "pcie",   "nic", "leaf_spine",
        "spine_core", "peer", "global", "socket", "c2c"};
    return kNames[static_cast<std::size_t>(kind)];
}

ResourceKind kind_of(fabric::LinkKind kind)
{
    switch (kind) {
        case fabric::LinkKind::nvlink:
            return ResourceKind::nvlink;
        case fabric::LinkKind::pcie:
            return ResourceKind::pcie;
        case fabric::LinkKind::nic:
            return ResourceKind::nic;
        case fabric::LinkKind::leaf_spine:
            return ResourceKind::leaf_spine;
        case fabric::LinkKind::spine_core:
            return ResourceKind::spine_core;
        case fabric::LinkKind::peer:
            return ResourceKind::peer;
        case fabric::LinkKind::global:
            return ResourceKind::global;
        case fabric::LinkKind::socket:
            return ResourceKind::socket;
        case fabric::LinkKind::c2c:
            return ResourceKind::c2c;
    }
    return ResourceKind::nic;
}

Machine::Machine(const spec::ClusterSpec& cluster, std::uint64_t seed, Links links)
    : cluster_{cluster},
      bundled_{links == Links::bundled && cluster.fabric.routing == spec::Routing::even
                   ? bundle(fabric::build(cluster))
                   : Bundled{fabric::build(cluster), {}}},
      fabric_{bundled_.fabric},
      router_{fabric_, cluster.fabric, seed}
{
    const auto& gpu = cluster.node.gpu;
    for (std::size_t i = 0; i < fabric_.gpus.size(); ++i) {
        sm_.push_back(add(ResourceKind::sm, static_cast<double>(gpu.sms)));
        hbm_.push_back(add(ResourceKind::hbm, gpu.memory_bandwidth.base()));
    }
    for (const auto& link : fabric_.graph.links()) {
        const auto merged = bundled_.members.empty() ? 1 : bundled_.members[link_.size()];
        link_.push_back(add(kind_of(link.kind), link.bandwidth.base(), merged));
    }
}

Machine::Machine(const spec::ClusterSpec& cluster, engine::Engine& engine, std::uint64_t seed)
    : Machine{cluster, seed}
{
    for (const auto& resource : resources_) {
        const auto id = engine.add_resource({name(resource.id), resource.capacity, {}});
        SIM_EXPECT(id == resource.id);
    }
}

ResourceId Machine::add(ResourceKind kind, double capacity, std::uint32_t bundle)
{
    const ResourceId id{resources_.size()};
    resources_.push_back({id, kind, capacity, bundle});
    return id;
}

std::string Machine::name(ResourceId resource) const
{
    // Two for each GPU, then the links.
    const auto index = resource.index();
    const auto of_gpus = 2 * fabric_.gpus.size();
    if (index >= of_gpus) {
        return fabric_.graph.links()[index - of_gpus].name;
    }
    const auto gpu = fabric_.gpus[index / 2];
    return fabric_.graph.vertices()[gpu.index()].name + (index % 2 == 0 ? "/sm" : "/hbm");
}

}  // namespace sim::replay
