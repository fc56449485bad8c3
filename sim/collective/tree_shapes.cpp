#include "collective/tree_shapes.hpp"

#include <algorithm>

#include "collective/tree.hpp"

namespace sim::collective
{
namespace
{

using Heads = std::vector<GpuId>;

/// One flow per ring of NICs. `inside` puts one node's links into a flow that enters and leaves it
/// at the first member it is given; `between` joins those first members.
template <class Inside, class Between>
Phase by_channel(const Situation& in, Inside inside, Between between)
{
    const auto orders = rings(in.fabric, in.nodes);
    Phase phase;
    for (std::size_t channel = 0; channel < orders.size(); ++channel) {
        const auto label = in.label(channel);
        Flow flow;
        flow.amount = in.bytes() / static_cast<double>(orders.size());
        Heads heads;
        auto member = orders[channel].begin();
        for (const auto& node : in.nodes) {
            const auto end = member + static_cast<std::ptrdiff_t>(node.members.size());
            heads.push_back(*member);
            inside(flow, std::vector<GpuId>(member, end), label);
            member = end;
        }
        if (heads.size() > 1) {
            between(flow, heads, label);
        }
        merge(flow.links);
        phase.flows.push_back(std::move(flow));
    }
    return phase;
}

/// Half of the flow's bytes go up and down each of the two trees.
void join_by_trees(const Situation& in, Flow& flow, const Heads& heads, std::uint64_t label)
{
    const auto nodes = static_cast<std::uint32_t>(heads.size());
    const auto trees = double_tree(nodes);
    Time slowest;
    for (const auto* tree : {&trees.first, &trees.second}) {
        for (const auto& edge : *tree) {
            slowest = std::max(
                slowest,
                in.flows.add_links(flow, {heads[edge.child], heads[edge.parent]}, 0.5, label));
            in.flows.add_links(flow, {heads[edge.parent], heads[edge.child]}, 0.5, label);
        }
    }
    const auto levels = std::max(depth(trees.first, nodes), depth(trees.second, nodes));
    flow.latency += slowest * (2.0 * levels);
}

/// What the switches of a node move: all of a member's buffer and a g-th of the result, each way. A
/// round of neighbours crosses each member's links once each way.
void add_switched(const Situation& in, Flow& flow, const std::vector<GpuId>& members,
                  double consumption, std::uint64_t label)
{
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Ends ends{members[i], members[(i + 1) % members.size()]};
        in.flows.add_links(flow, ends, consumption, label);
    }
}

}  // namespace

Phase chain_tree(const Situation& in)
{
    const auto& tuning = in.library().tuning;
    const double use = 1 / (tuning ? tuning->tree_efficiency : 1);
    const auto chain = [&](Flow& flow, const std::vector<GpuId>& members, std::uint64_t label) {
        Time both_ways;
        for (std::size_t i = 0; i < members.size(); ++i) {
            flow.memories.push_back({members[i], 4});
            if (i + 1 < members.size()) {
                both_ways += in.flows.add_links(flow, {members[i + 1], members[i]}, use, label) +
                             in.flows.add_links(flow, {members[i], members[i + 1]}, use, label);
            }
        }
        flow.latency = std::max(flow.latency, both_ways);
    };
    return by_channel(in, chain, [&](Flow& flow, const Heads& heads, std::uint64_t label) {
        join_by_trees(in, flow, heads, label);
    });
}

Phase nvls_phase(const Situation& in)
{
    const double efficiency = in.library().tuning->nvls->efficiency;
    const auto reduce = [&](Flow& flow, const std::vector<GpuId>& members, std::uint64_t label) {
        const double g = static_cast<double>(members.size());
        for (const auto member : members) {
            flow.memories.push_back({member, 2 * (g + 1) / g});
        }
        add_switched(in, flow, members, (g + 1) / g / efficiency, label);
    };
    return by_channel(in, reduce, [&](Flow& flow, const Heads& heads, std::uint64_t label) {
        join_by_trees(in, flow, heads, label);
    });
}

Phase sharp_phase(const Situation& in)
{
    const double wires = 1 / in.library().tuning->sharp->efficiency;
    const auto gather = [&](Flow& flow, const std::vector<GpuId>& members, std::uint64_t label) {
        const double g = static_cast<double>(members.size());
        for (const auto member : members) {
            flow.memories.push_back({member, 6});
        }
        if (members.size() > 1) {
            // A reduce-scatter before and an all-gather after.
            add_switched(in, flow, members, 2 * (g - 1) / g, label);
        }
    };
    return by_channel(in, gather, [&](Flow& flow, const Heads& heads, std::uint64_t label) {
        in.flows.add_reducing_tree(flow, heads, wires, label);
    });
}

}  // namespace sim::collective
