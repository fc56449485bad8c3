#pragma once

#include <cstdint>
#include <vector>

#include "collective/steps.hpp"

namespace sim::collective
{

struct TreeEdge {
    std::uint32_t child;
    std::uint32_t parent;
};

/// Two binary trees over 0 .. n-1, each with its edges from the leaves up. Nobody has children in
/// both, member 0 of an odd number aside, so each half of the buffer goes up and down one tree and
/// every member sends about as much as every other (Sanders, Speck, Traeff: Two-tree algorithms,
/// 2009).
struct DoubleTree {
    std::vector<TreeEdge> first;
    std::vector<TreeEdge> second;
};

[[nodiscard]] DoubleTree double_tree(std::uint32_t members);

/// Edges from the farthest member to the root.
[[nodiscard]] std::uint32_t depth(const std::vector<TreeEdge>& tree, std::uint32_t members);

/// The all-reduce of both halves, step by step: chunk 0 on the first tree, chunk 1 on the second.
[[nodiscard]] std::vector<Step> double_tree_steps(std::uint32_t members);

}  // namespace sim::collective
