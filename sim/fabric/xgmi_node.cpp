#include "fabric/xgmi_node.hpp"

#include "fabric/host.hpp"
#include "fabric/scale_up.hpp"

namespace sim::fabric
{

void add_xgmi_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name)
{
    spec::MeshSpec mesh;
    mesh.links_per_gpu = node.gpus - 1;
    for (int a = 0; a < node.gpus; ++a) {
        for (int b = a + 1; b < node.gpus; ++b) {
            mesh.pairs.push_back({{a, b}, 1});
        }
    }
    join_pairs(fabric.graph, add_host(fabric, node, name), node.nvlink, mesh);
}

}  // namespace sim::fabric
