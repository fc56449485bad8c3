#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/id.hpp"
#include "fabric/graph.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Switches of one model, as an order lists them.
struct SwitchOrder {
    spec::SwitchSpec model;
    std::int64_t count = 0;
};

/// A built machine: the graph and where its GPUs and NICs are in it, node by node.
struct Fabric {
    Graph graph;
    std::vector<VertexId> gpus;              ///< by GpuId
    std::vector<VertexId> nics;              ///< in the order of the nodes
    std::vector<VertexId> nic_of_gpu;        ///< by GpuId: the NIC its traffic leaves through
    std::vector<NodeId> node_of_gpu;         ///< by GpuId
    std::vector<NodeId> node_of_nic;         ///< as `nics`
    std::vector<VertexId> sockets;           ///< node by node, equally many each; may be empty
    std::vector<std::size_t> socket_of_gpu;  ///< by GpuId: in `sockets`; empty without sockets
    std::vector<SwitchOrder> switches;       ///< by model, of the network
    std::size_t nodes = 0;
    bool peer_through_root = false;  ///< PCIe switches send all traffic up to the socket
};

/// Builds nodes and network by the builder that `cluster.fabric.kind` names.
/// Throws InputError when the result is not connected or the switches lack ports.
[[nodiscard]] Fabric build(const spec::ClusterSpec& cluster);

/// Routes between GPUs: NVLink inside a node, else its PCIe and sockets, else GPU - PCIe - NIC -
/// network - NIC - PCIe - GPU. Routes are computed on demand; the network part is cached by leaf
/// pair when routing is even.
class Router
{
public:
    /// `dead`: by link, those that routes avoid (with the other direction of their cable); empty
    /// when there are none.
    Router(const Fabric& fabric, const spec::FabricSpec& spec, std::uint64_t seed,
           const std::vector<char>& dead = {});
    ~Router();

    /// The hops of one flow. `label` tells flows of the same pair apart (channel, connection); it
    /// matters where queue pairs take single paths. A missing route throws InputError naming both
    /// ends.
    [[nodiscard]] Route route(GpuId from, GpuId to, std::uint64_t label) const;
    /// The same while others run: `loads` are queue pairs by link, which adaptive routing avoids.
    [[nodiscard]] Route route(GpuId from, GpuId to, std::uint64_t label,
                              std::span<const double> loads) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sim::fabric
