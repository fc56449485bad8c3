#include "fabric/nvl72_node.hpp"

#include "fabric/host.hpp"
#include "fabric/scale_up.hpp"

namespace sim::fabric
{

void add_nvl72_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name)
{
    constexpr int kGpusOfTray = 4;
    const auto gpus = add_host(fabric, node, name, node.gpus / kGpusOfTray);
    join_through_switches(fabric.graph, gpus, node.nvlink,
                          std::get<spec::Nvl72Spec>(node.scale_up).switch_trays,
                          name + "/switch_tray");
}

}  // namespace sim::fabric
