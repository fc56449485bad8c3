#pragma once

#include <cstdint>
#include <cstdlib>

#include "fabric/catalogue.hpp"
#include "fabric/clusters.hpp"
#include "fabric/description.hpp"
#include "fabric/fabric.hpp"
#include "fabric/max_flow.hpp"

namespace sim::test
{

/// A switch that is never short of anything.
inline spec::SwitchSpec ample_switch()
{
    using namespace literals;
    return {.name = "ample", .capacity = 1000_Tbps, .max_ports = 4096, .latency = 0.125_us};
}

/// Nodes of `nics` GPUs with a 400 Gbps NIC each, and no network yet.
inline spec::ClusterSpec bare_cluster(int nodes, int nics)
{
    auto cluster = round_cluster(nodes);
    cluster.node.gpus = nics;
    cluster.node.nics = nics;
    cluster.node.nic_of_gpu = spec::spread_evenly(nics, nics);
    return cluster;
}

inline spec::ClosSpec clos(int tiers, const spec::SwitchSpec& model)
{
    spec::ClosSpec spec;
    spec.tiers = tiers;
    spec.leaf = model;
    spec.spine = model;
    spec.core = model;
    return spec;
}

inline std::int64_t switches(const fabric::Description& description, fabric::VertexKind kind)
{
    for (const auto& tier : description.tiers) {
        if (tier.kind == kind) {
            return tier.switches;
        }
    }
    return 0;
}

inline std::int64_t cables(const fabric::Description& description, fabric::LinkKind kind)
{
    for (const auto& use : description.cables) {
        if (use.kind == kind) {
            return use.cables;
        }
    }
    return 0;
}

inline fabric::Description described(const spec::ClusterSpec& cluster)
{
    return fabric::describe(cluster, fabric::build(cluster));
}

/// The closed form over what a max-flow finds: 1 where both speak of the same cut.
inline double closed_form_over_flow(const spec::ClusterSpec& cluster)
{
    const auto closed = fabric::network_kind(spec::kind_name(cluster.fabric)).bisection(cluster);
    return closed ? *closed / fabric::max_flow_bisection(fabric::build(cluster)) : 0;
}

}  // namespace sim::test
