#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/topology.hpp"
#include "formats/topology_source.hpp"

namespace sim::formats
{

/// A switch and what hangs below it, as Slurm's and topograph's files list it.
struct TreeSwitch {
    std::vector<std::string> switches{};
    std::vector<std::string> nodes{};
    Place place{};
};

struct SwitchTree {
    std::map<std::string, TreeSwitch> switches{};
    std::vector<std::string> order{};

    /// The switch of that name, new when there is none.
    TreeSwitch& at(const std::string& name, Place place);
};

/// One uplink a switch, each NIC of a node on its leaf: all a scheduler's file says. Complains
/// about unknown switches, a switch or node under two switches and switches that are in a circle.
[[nodiscard]] Topology assemble_tree(TopologySource& source, const SwitchTree& tree);

}  // namespace sim::formats
