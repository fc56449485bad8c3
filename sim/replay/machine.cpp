#include "replay/machine.hpp"

#include <array>

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

Machine::Machine(const spec::ClusterSpec& cluster, engine::Engine& engine, std::uint64_t seed)
    : cluster_{cluster}, fabric_{fabric::build(cluster)}, router_{fabric_, cluster.fabric, seed}
{
    const auto& gpu = cluster.node.gpu;
    for (const auto vertex : fabric_.gpus) {
        const auto& where = fabric_.graph.vertices()[vertex.index()].name;
        sm_.push_back(
            add(engine, ResourceKind::sm, {where + "/sm", static_cast<double>(gpu.sms), {}}));
        hbm_.push_back(
            add(engine, ResourceKind::hbm, {where + "/hbm", gpu.memory_bandwidth.base(), {}}));
    }
    for (const auto& link : fabric_.graph.links()) {
        link_.push_back(add(engine, kind_of(link.kind), {link.name, link.bandwidth.base(), {}}));
    }
}

ResourceId Machine::add(engine::Engine& engine, ResourceKind kind, const engine::Resource& resource)
{
    const auto id = engine.add_resource(resource);
    resources_.push_back({id, kind, resource.capacity});
    return id;
}

}  // namespace sim::replay
