#include "collective/tree.hpp"

#include <algorithm>

namespace sim::collective
{
namespace
{

/// In-order tree: member r > 0 stands at the height of its lowest set bit b; its parent is the
/// one of the next height beside it, r + b or r - b, or r - b when that is beyond the end. Member 0
/// is the root above the highest power of two.
std::uint32_t parent_of(std::uint32_t member, std::uint32_t members)
{
    const std::uint32_t bit = member & (~member + 1);
    const std::uint32_t above = (member ^ bit) | (bit << 1U);
    return above < members ? above : member ^ bit;
}

std::vector<TreeEdge> in_order_tree(std::uint32_t members)
{
    std::vector<TreeEdge> edges;
    for (std::uint32_t bit = 1; bit < members; bit *= 2) {
        for (std::uint32_t member = bit; member < members; member += 2 * bit) {
            edges.push_back({member, parent_of(member, members)});
        }
    }
    return edges;
}

/// Steps by which everyone below has sent: an edge waits for the edges of its child's children.
std::vector<std::uint32_t> heights(const std::vector<TreeEdge>& edges, std::uint32_t members)
{
    std::vector<std::uint32_t> height(members, 0);
    for (const auto& edge : edges) {
        height[edge.parent] = std::max(height[edge.parent], height[edge.child] + 1);
    }
    return height;
}

void append(std::vector<Step>& steps, const std::vector<TreeEdge>& edges, std::uint32_t members,
            std::uint32_t chunk)
{
    const auto height = heights(edges, members);
    const auto top = depth(edges, members);
    for (const auto& edge : edges) {
        steps.push_back({height[edge.child], edge.child, edge.parent, chunk, true});
        steps.push_back({2 * top - height[edge.child] - 1, edge.parent, edge.child, chunk, false});
    }
}

}  // namespace

std::uint32_t depth(const std::vector<TreeEdge>& tree, std::uint32_t members)
{
    const auto height = heights(tree, members);
    return *std::max_element(height.begin(), height.end());
}

DoubleTree double_tree(std::uint32_t members)
{
    DoubleTree trees;
    trees.first = in_order_tree(members);
    trees.second = trees.first;
    // Inner members of the first tree are even: mirrored or moved by one they become odd.
    for (auto& edge : trees.second) {
        const auto other = [&](std::uint32_t member) {
            return members % 2 == 0 ? members - 1 - member : (member + 1) % members;
        };
        edge = {other(edge.child), other(edge.parent)};
    }
    return trees;
}

std::vector<Step> double_tree_steps(std::uint32_t members)
{
    std::vector<Step> steps;
    if (members < 2) {
        return steps;
    }
    const auto trees = double_tree(members);
    append(steps, trees.first, members, 0);
    append(steps, trees.second, members, 1);
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Step& a, const Step& b) { return a.step < b.step; });
    return steps;
}

}  // namespace sim::collective
