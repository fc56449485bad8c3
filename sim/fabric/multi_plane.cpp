#include "fabric/multi_plane.hpp"

#include "fabric/blocks.hpp"
#include "fabric/clos.hpp"
#include "fabric/network_parts.hpp"

namespace sim::fabric
{
namespace
{

const spec::MultiPlaneSpec& spec_of(const spec::ClusterSpec& cluster)
{
    return std::get<spec::MultiPlaneSpec>(cluster.fabric.network);
}

/// Leaves of a plane that serve the nodes of one block.
int leaves_of_block(const spec::ClusterSpec& cluster)
{
    return spec_of(cluster).rails ? cluster.node.nics : 1;
}

struct Shape {
    int blocks = 0;
    ClosShape clos;  ///< of one plane, or of all where they share spines
};

Shape shape_of(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    Diagnostics diagnostics;
    Shape shape;
    shape.blocks =
        count_blocks(cluster, {spec.nodes_per_leaf, "nodes_per_leaf", "leaves"}, diagnostics);
    const int leaves = shape.blocks * leaves_of_block(cluster) * (spec.joined ? spec.planes : 1);
    const int down = spec.nodes_per_leaf * (spec.rails ? 1 : cluster.node.nics);
    const auto port = cluster.node.nic.bandwidth / spec.planes;
    shape.clos = plan_clos(spec.clos, {leaves, down, port, 0}, diagnostics);
    if (!diagnostics.empty()) {
        throw InputError{std::move(diagnostics)};
    }
    return shape;
}

}  // namespace

void add_multi_plane(Fabric& fabric, const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto shape = shape_of(cluster).clos;
    const auto planes = static_cast<std::size_t>(spec.planes);
    const auto nics = static_cast<std::size_t>(cluster.node.nics);
    const auto of_block = static_cast<std::size_t>(leaves_of_block(cluster));
    std::vector<std::vector<VertexId>> leaves;  // one list for all planes, or one a plane
    for (std::size_t part = 0; part < (spec.joined ? 1 : planes); ++part) {
        const auto prefix = spec.joined ? "" : "plane" + std::to_string(part) + "/";
        leaves.push_back(add_clos(fabric, cluster, spec.clos, shape, prefix));
    }
    for (std::size_t nic = 0; nic < fabric.nics.size(); ++nic) {
        const auto block = nic / nics / static_cast<std::size_t>(spec.nodes_per_leaf);
        const auto place = block * of_block + (spec.rails ? nic % nics : 0);
        for (std::size_t plane = 0; plane < planes; ++plane) {
            const auto leaf =
                spec.joined ? leaves[0][place * planes + plane] : leaves[plane][place];
            attach_nic(fabric, cluster, fabric.nics[nic], leaf, spec.clos.leaf, spec.planes);
        }
    }
}

std::optional<Bandwidth> multi_plane_bisection(const spec::ClusterSpec& cluster)
{
    const auto& spec = spec_of(cluster);
    const auto shape = shape_of(cluster);
    return half_of_blocks(cluster, shape.clos, shape.blocks, spec.joined ? 1 : spec.planes);
}

}  // namespace sim::fabric
