#include "fabric/mesh_node.hpp"

#include "fabric/host.hpp"
#include "fabric/scale_up.hpp"

namespace sim::fabric
{

void add_mesh_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name)
{
    join_pairs(fabric.graph, add_host(fabric, node, name), node.nvlink,
               std::get<spec::MeshSpec>(node.scale_up));
}

}  // namespace sim::fabric
