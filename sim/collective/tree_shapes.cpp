#include "collective/tree_shapes.hpp"

#include <algorithm>
#include <utility>

#include "collective/tree.hpp"

namespace sim::collective
{
namespace
{

using Heads = std::vector<GpuId>;

using Members = std::vector<std::vector<GpuId>>;  ///< by node, the one at the NIC first

/// Nodes and their members as the ring of NICs `order` passes them.
Members by_node(const Situation& in, const std::vector<GpuId>& order)
{
    Members members;
    auto member = order.begin();
    for (const auto& node : in.nodes) {
        const auto end = member + static_cast<std::ptrdiff_t>(node.members.size());
        members.emplace_back(member, end);
        member = end;
    }
    return members;
}

Heads heads_of(const Members& nodes)
{
    Heads heads;
    for (const auto& members : nodes) {
        heads.push_back(members.front());
    }
    return heads;
}

/// A chain in every node and two trees of the chains' heads. A chunk goes up when all below have
/// sent it, and comes down when the root has it.
class TreeBuilder
{
public:
    TreeBuilder(const FlowBuilder& flows, const Members& nodes, std::uint64_t label)
        : flows_{flows}, nodes_{nodes}, heads_{heads_of(nodes)}, label_{label}, up_(nodes.size())
    {
    }

    /// `use`: NVLink's bytes per byte in a chain.
    [[nodiscard]] Flow build(double amount, double use)
    {
        flow_.amount = amount;
        flow_.pipeline = true;
        flow_.steps = pipeline_chunks(amount);
        Time chains;
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            chains = std::max(chains, climb(node, use));
        }
        std::vector<Waits> came(nodes_.size());
        if (nodes_.size() == 1) {
            came.front() = up_.front();
        } else {
            join(came);
        }
        for (std::size_t node = 0; node < nodes_.size(); ++node) {
            descend(node, use, came[node]);
        }
        flow_.latency += 2 * chains;
        merge(flow_.links);
        return std::move(flow_);
    }

private:
    using Waits = std::vector<std::uint32_t>;

    Time add(Ends ends, double consumption, const Waits& waits)
    {
        last_ = {next_++};
        return flows_.add_links(flow_, ends, consumption, label_, waits);
    }

    /// From the chain's end to its head; gives its latency.
    Time climb(std::size_t node, double use)
    {
        const auto& members = nodes_[node];
        Time latency;
        for (std::size_t i = members.size() - 1; i > 0; --i) {
            latency += add({members[i], members[i - 1]}, use, up_[node]);
            up_[node] = last_;
        }
        for (const auto member : members) {
            flow_.memories.push_back({member, kPassed});
        }
        return latency;
    }

    void descend(std::size_t node, double use, Waits came)
    {
        const auto& members = nodes_[node];
        for (std::size_t i = 0; i + 1 < members.size(); ++i) {
            add({members[i], members[i + 1]}, use, came);
            came = last_;
        }
    }

    /// Half of the bytes go up and down each tree. `came`: what a node's own chain waits for.
    void join(std::vector<Waits>& came)
    {
        const auto nodes = static_cast<std::uint32_t>(nodes_.size());
        const auto trees = double_tree(nodes);
        Time slowest;
        for (const auto* tree : {&trees.first, &trees.second}) {
            auto sent = up_;
            for (const auto& edge : *tree) {
                slowest = std::max(
                    slowest, add({heads_[edge.child], heads_[edge.parent]}, 0.5, sent[edge.child]));
                sent[edge.parent].push_back(last_.front());
            }
            const auto root = tree->back().parent;
            came[root].insert(came[root].end(), sent[root].begin(), sent[root].end());
            std::vector<Waits> has(nodes);
            has[root] = sent[root];
            for (auto edge = tree->rbegin(); edge != tree->rend(); ++edge) {
                add({heads_[edge->parent], heads_[edge->child]}, 0.5, has[edge->parent]);
                has[edge->child] = last_;
                came[edge->child].push_back(last_.front());
            }
        }
        const auto levels = std::max(depth(trees.first, nodes), depth(trees.second, nodes));
        flow_.latency += slowest * (2.0 * levels);
    }

    static constexpr double kPassed = 4;  ///< a member's HBM bytes per byte, both ways

    const FlowBuilder& flows_;
    const Members& nodes_;
    Heads heads_;
    std::uint64_t label_;
    Flow flow_;
    std::vector<Waits> up_;  ///< by node: the hop that brings its members' sum to its head
    Waits last_;
    std::uint32_t next_ = 0;
};

/// One flow per ring of NICs, of what the switches in the nodes (`inside`) and between them do: it
/// has no single hops.
template <class Inside, class Between>
Phase by_switches(const Situation& in, Inside inside, Between between)
{
    const auto orders = rings(in.fabric, in.nodes);
    Phase phase;
    for (std::size_t channel = 0; channel < orders.size(); ++channel) {
        const auto label = in.label(channel);
        Flow flow;
        flow.amount = in.bytes() / static_cast<double>(orders.size());
        const auto nodes = by_node(in, orders[channel]);
        for (const auto& members : nodes) {
            inside(flow, members, label);
        }
        if (nodes.size() > 1) {
            between(flow, heads_of(nodes), label);
        }
        merge(flow.links);
        flow.hops.clear();
        phase.flows.push_back(std::move(flow));
    }
    return phase;
}

/// Half of the flow's bytes go up and down each of the two trees.
void join_by_trees(const Situation& in, Flow& flow, const Heads& heads, std::uint64_t label)
{
    const auto nodes = static_cast<std::uint32_t>(heads.size());
    const auto trees = double_tree(nodes);
    for (const auto* tree : {&trees.first, &trees.second}) {
        for (const auto& edge : *tree) {
            in.flows.add_links(flow, {heads[edge.child], heads[edge.parent]}, 0.5, label);
            in.flows.add_links(flow, {heads[edge.parent], heads[edge.child]}, 0.5, label);
        }
    }
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
    const auto& tuning = in.tuning();
    const double use = 1 / (tuning ? tuning->tree_efficiency : 1);
    const auto orders = rings(in.fabric, in.nodes);
    Phase phase;
    for (std::size_t channel = 0; channel < orders.size(); ++channel) {
        const auto nodes = by_node(in, orders[channel]);
        TreeBuilder tree{in.flows, nodes, in.label(channel)};
        phase.flows.push_back(tree.build(in.bytes() / static_cast<double>(orders.size()), use));
    }
    return phase;
}

Phase rail_trees(const Situation& in)
{
    const auto rails = in.nodes.front().members.size();
    Phase phase;
    for (std::size_t rail = 0; rail < rails; ++rail) {
        Members members;
        for (const auto& node : in.nodes) {
            members.push_back({node.members[rail]});
        }
        TreeBuilder tree{in.flows, members, in.label(rail)};
        phase.flows.push_back(tree.build(in.bytes() / static_cast<double>(rails), 1));
    }
    return phase;
}

Phase nvls_phase(const Situation& in)
{
    const double efficiency = in.tuning()->nvls->efficiency;
    const auto reduce = [&](Flow& flow, const std::vector<GpuId>& members, std::uint64_t label) {
        const double g = static_cast<double>(members.size());
        for (const auto member : members) {
            flow.memories.push_back({member, 2 * (g + 1) / g});
        }
        add_switched(in, flow, members, (g + 1) / g / efficiency, label);
    };
    return by_switches(in, reduce, [&](Flow& flow, const Heads& heads, std::uint64_t label) {
        join_by_trees(in, flow, heads, label);
    });
}

Phase sharp_phase(const Situation& in)
{
    const double wires = 1 / in.tuning()->sharp->efficiency;
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
    return by_switches(in, gather, [&](Flow& flow, const Heads& heads, std::uint64_t label) {
        in.flows.add_reducing_tree(flow, heads, wires, label);
    });
}

}  // namespace sim::collective
