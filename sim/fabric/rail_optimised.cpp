#include "fabric/rail_optimised.hpp"

#include "fabric/blocks.hpp"
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

struct Shape {
    int blocks = 0;
    ClosShape clos;  ///< of all rails together, or of one of them where spines do not cross rails
};

Shape shape_of(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    Diagnostics diagnostics;
    Shape shape;
    shape.blocks =
        count_blocks(cluster, {spec.nodes_per_block, "nodes_per_block", "blocks"}, diagnostics);
    const int leaves = spec.cross_rail ? shape.blocks * cluster.node.nics : shape.blocks;
    shape.clos = plan_clos(spec.clos, {leaves, spec.nodes_per_block, cluster.node.nic.bandwidth, 0},
                           diagnostics);
    if (!diagnostics.empty()) {
        throw InputError{std::move(diagnostics)};
    }
    return shape;
}

}  // namespace

void add_rail_optimised(Fabric& fabric, const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto shape = shape_of(cluster).clos;
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
    const auto shape = shape_of(cluster);
    return half_of_blocks(cluster, shape.clos, shape.blocks,
                          spec_of(cluster).cross_rail ? 1 : cluster.node.nics);
}

}  // namespace sim::fabric
