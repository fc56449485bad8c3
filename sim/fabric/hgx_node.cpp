#include "fabric/hgx_node.hpp"

#include "fabric/host.hpp"
#include "fabric/scale_up.hpp"

namespace sim::fabric
{

void add_hgx_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name)
{
    const auto gpus = add_host(fabric, node, name);
    join_through_switches(fabric.graph, gpus, node.nvlink,
                          std::get<spec::HgxSpec>(node.scale_up).planes, name + "/nvswitch");
}

}  // namespace sim::fabric
