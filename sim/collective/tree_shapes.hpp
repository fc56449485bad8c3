#pragma once

#include "collective/situation.hpp"

namespace sim::collective
{

/// Two binary trees of nodes, a chain of members in each.
[[nodiscard]] Phase chain_tree(const Situation& situation);

/// The two trees over the members of equal position on all nodes, each rail with its part.
[[nodiscard]] Phase rail_trees(const Situation& situation);

/// The same trees; the NVSwitch reduces inside each node.
[[nodiscard]] Phase nvls_phase(const Situation& situation);

/// The switches of the network reduce: every NIC sends its part once and receives the result once.
[[nodiscard]] Phase sharp_phase(const Situation& situation);

}  // namespace sim::collective
