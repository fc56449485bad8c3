#include "fabric/catalogue.hpp"

#include <algorithm>
#include <array>

#include "core/contract.hpp"
#include "fabric/custom.hpp"
#include "fabric/dgx1_node.hpp"
#include "fabric/dragonfly.hpp"
#include "fabric/fat_tree.hpp"
#include "fabric/hgx_node.hpp"
#include "fabric/leaf_spine.hpp"
#include "fabric/mesh_node.hpp"
#include "fabric/multi_plane.hpp"
#include "fabric/nvl72_node.hpp"
#include "fabric/pcie_node.hpp"
#include "fabric/rail_optimised.hpp"
#include "fabric/single_switch.hpp"
#include "fabric/torus.hpp"
#include "fabric/xgmi_node.hpp"

namespace sim::fabric
{
namespace
{

constexpr std::array kNetworks{
    NetworkKind{"leaf_spine", add_leaf_spine, leaf_spine_bisection},
    NetworkKind{"fat_tree", add_fat_tree, fat_tree_bisection},
    NetworkKind{"rail_optimised", add_rail_optimised, rail_optimised_bisection},
    NetworkKind{"multi_plane", add_multi_plane, multi_plane_bisection},
    NetworkKind{"torus", add_torus, torus_bisection},
    NetworkKind{"dragonfly", add_dragonfly, dragonfly_bisection},
    NetworkKind{"single_switch", add_single_switch, single_switch_bisection},
    NetworkKind{"custom", add_custom, nullptr},
};

constexpr std::array kNodes{
    NodeKind{"hgx", add_hgx_node},   NodeKind{"nvl72", add_nvl72_node},
    NodeKind{"dgx1", add_dgx1_node}, NodeKind{"xgmi", add_xgmi_node},
    NodeKind{"mesh", add_mesh_node}, NodeKind{"pcie", add_pcie_node},
};

template <class Table>
const auto& find(const Table& table, std::string_view kind)
{
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const auto& entry) { return entry.kind == kind; });
    SIM_EXPECT(found != table.end());
    return *found;
}

}  // namespace

std::span<const NetworkKind> network_kinds() { return kNetworks; }
std::span<const NodeKind> node_kinds() { return kNodes; }

const NetworkKind& network_kind(std::string_view kind) { return find(kNetworks, kind); }
const NodeKind& node_kind(std::string_view kind) { return find(kNodes, kind); }

}  // namespace sim::fabric
