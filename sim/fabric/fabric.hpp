#pragma once

#include <cstdint>
#include <vector>

#include "core/id.hpp"
#include "fabric/graph.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// A built machine: the graph and where its GPUs and NICs are in it.
struct Fabric {
    Graph graph;
    std::vector<VertexId> gpus;        ///< by GpuId: node * gpus_per_node + index in node
    std::vector<VertexId> nics;        ///< node * nics_per_node + index in node
    std::vector<VertexId> nic_of_gpu;  ///< by GpuId: the NIC its traffic leaves through
    int gpus_per_node = 0;
};

/// Builds nodes and network by the builder that `cluster.fabric.kind` names.
/// Throws InputError when the result is not connected or the switches lack ports.
[[nodiscard]] Fabric build(const spec::ClusterSpec& cluster);

/// Routes between GPUs: NVLink inside a node, otherwise GPU - PCIe - NIC - network - NIC - PCIe -
/// GPU. Routes are computed on demand; the network part is cached by leaf pair when routing is
/// even.
class Router
{
public:
    Router(const Fabric& fabric, const spec::FabricSpec& spec, std::uint64_t seed);
    ~Router();

    /// The hops of one flow. `label` tells flows of the same pair apart (channel, connection); it
    /// matters only to ecmp. A missing route throws InputError naming both ends.
    [[nodiscard]] Route route(GpuId from, GpuId to, std::uint64_t label) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sim::fabric
