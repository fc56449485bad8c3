#include "fabric/rail_optimised.hpp"

#include <fmt/format.h>

#include "fabric/clos.hpp"
#include "fabric/network_parts.hpp"

namespace sim::fabric
{
namespace
{

const spec::RailOptimisedSpec& spec_of(const spec::ClusterSpec& cluster)
{
    return std::get<spec::RailOptimisedSpec>(cluster.fabric.network);
}

int blocks_of(const spec::ClusterSpec& cluster)
{
    const int in_block = spec_of(cluster).nodes_per_block;
    return (cluster.nodes + in_block - 1) / in_block;
}

/// Of all rails together, or of one of them where spines do not cross rails.
ClosShape shape_of(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const int blocks = blocks_of(cluster);
    Diagnostics diagnostics;
    if (blocks > 1 && cluster.nodes % spec.nodes_per_block != 0) {
        complain(
            diagnostics, "nodes_per_block",
            fmt::format("{} nodes do not fill blocks of {}", cluster.nodes, spec.nodes_per_block),
            "choose nodes and nodes_per_block so that they do");
    }
    const int leaves = spec.cross_rail ? blocks * cluster.node.nics : blocks;
    const auto shape = plan_clos(
        spec.clos, {leaves, spec.nodes_per_block, cluster.node.nic.bandwidth, 0}, diagnostics);
    if (!diagnostics.empty()) {
        throw InputError{std::move(diagnostics)};
    }
    return shape;
}

}  // namespace

void add_rail_optimised(Fabric& fabric, const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto shape = shape_of(cluster);
    const auto rails = static_cast<std::size_t>(cluster.node.nics);
    std::vector<std::vector<VertexId>> leaves;  // one list for all rails, or one a rail
    for (std::size_t part = 0; part < (spec.cross_rail ? 1 : rails); ++part) {
        const auto prefix = spec.cross_rail ? "" : "rail" + std::to_string(part) + "/";
        leaves.push_back(add_clos(fabric, cluster, spec.clos, shape, prefix));
    }
    for (std::size_t nic = 0; nic < fabric.nics.size(); ++nic) {
        const auto rail = nic % rails;
        const auto block = nic / rails / static_cast<std::size_t>(spec.nodes_per_block);
        const auto leaf = spec.cross_rail ? leaves[0][block * rails + rail] : leaves[rail][block];
        attach_nic(fabric, cluster, fabric.nics[nic], leaf, spec.clos.leaf);
    }
}

std::optional<Bandwidth> rail_optimised_bisection(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto shape = shape_of(cluster);
    const int blocks = blocks_of(cluster);
    const auto nics = half_of_the_nics(cluster);
    if (cluster.nodes % 2 != 0 || (blocks > 1 && blocks % 2 != 0)) {
        return std::nullopt;
    }
    if (blocks == 1) {
        return nics;
    }
    const double parts = spec.cross_rail ? 1 : cluster.node.nics;
    const auto half = clos_half(shape, nics / parts, cluster.node.nic.efficiency);
    return half ? std::optional{*half * parts} : std::nullopt;
}

}  // namespace sim::fabric
