#include "fabric/dgx1_node.hpp"

#include "fabric/host.hpp"
#include "fabric/scale_up.hpp"

namespace sim::fabric
{

void add_dgx1_node(Fabric& fabric, const spec::NodeSpec& node, const std::string& name)
{
    // Links between GPUs of the V100 box, as its driver prints them; sim/fabric/dgx1_node.md.
    const spec::MeshSpec mesh{.links_per_gpu = 6,
                              .pairs = {{{0, 1}, 1},
                                        {{0, 2}, 1},
                                        {{0, 3}, 2},
                                        {{0, 4}, 2},
                                        {{1, 2}, 2},
                                        {{1, 3}, 1},
                                        {{1, 5}, 2},
                                        {{2, 3}, 2},
                                        {{2, 6}, 1},
                                        {{3, 7}, 1},
                                        {{4, 5}, 1},
                                        {{4, 6}, 1},
                                        {{4, 7}, 2},
                                        {{5, 6}, 2},
                                        {{5, 7}, 1},
                                        {{6, 7}, 2}}};
    join_pairs(fabric.graph, add_host(fabric, node, name), node.nvlink, mesh);
}

}  // namespace sim::fabric
