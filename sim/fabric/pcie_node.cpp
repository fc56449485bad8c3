#include "fabric/pcie_node.hpp"

#include "fabric/host.hpp"

namespace sim::fabric
{

void add_pcie_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name)
{
    add_host(fabric, node, name);
}

}  // namespace sim::fabric
