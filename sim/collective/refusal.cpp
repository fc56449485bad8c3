#include "collective/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collective/hierarchy.hpp"
#include "collective/torus_shape.hpp"
#include "collective/words.hpp"

namespace sim::collective
{
namespace
{

using Nodes = std::vector<NodeGroup>;

/// A node whose number of members differs from the first one's; null when there is none.
const NodeGroup* odd_one_out(const Nodes& nodes)
{
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const NodeGroup& node) {
        return node.members.size() != nodes.front().members.size();
    });
    return found == nodes.end() ? nullptr : &*found;
}

std::optional<std::string> refuse_unequal(const Nodes& nodes)
{
    if (const auto* odd = odd_one_out(nodes)) {
        const auto& first = nodes.front();
        return fmt::format(
            "needs equally many members on every node, but node{} has {} and node{} has {}",
            first.node.index(), first.members.size(), odd->node.index(), odd->members.size());
    }
    return std::nullopt;
}

std::optional<std::string> refuse_nvls(const Situation& in, Algorithm algorithm)
{
    if (!in.tuning() || !in.tuning()->nvls) {
        return "needs an NVSwitch that reduces: collective.tuning.nvls describes it";
    }
    if (group_shape(in).per_node < 2) {
        return "needs two members or more on every node";
    }
    if (algorithm == Algorithm::multimem) {
        return std::nullopt;
    }
    if ((algorithm == Algorithm::nvls) != (in.nodes.size() == 1)) {
        return algorithm == Algorithm::nvls ? "needs a group inside one node; nvls_tree spans nodes"
                                            : "needs a group on several nodes; nvls serves one";
    }
    return std::nullopt;
}

std::optional<std::string> refuse_sharp(const Situation& in)
{
    if (!in.tuning() || !in.tuning()->sharp) {
        return "needs network switches that reduce: collective.tuning.sharp describes them";
    }
    if (in.nodes.size() < 2) {
        return "needs a group on several nodes";
    }
    const auto most = in.tuning()->sharp->most_nodes;
    if (in.nodes.size() > static_cast<std::size_t>(most)) {
        return fmt::format("spans {} nodes at most (collective.tuning.sharp.most_nodes), not {}",
                           most, in.nodes.size());
    }
    return refuse_unequal(in.nodes);
}

std::optional<std::string> refuse_pairs(const Situation& in, Algorithm algorithm)
{
    if (algorithm == Algorithm::direct) {
        return std::nullopt;
    }
    if (algorithm != Algorithm::hierarchical || in.request.kind == Kind::send_recv) {
        return fmt::format("does not do {}", name(in.request.kind));
    }
    if (in.nodes.size() < 2) {
        return "needs a group on several nodes";
    }
    return in.request.parts.empty() ? refuse_unequal(in.nodes)
                                    : std::optional<std::string>{"needs equal parts"};
}

bool has_parts(Kind kind)
{
    return kind == Kind::all_reduce || kind == Kind::all_gather || kind == Kind::reduce_scatter;
}

}  // namespace

std::optional<std::string> refusal(const Situation& in, Algorithm algorithm)
{
    const auto kind = in.request.kind;
    if (sends_pairs(kind)) {
        return refuse_pairs(in, algorithm);
    }
    if (algorithm == Algorithm::ring) {
        return std::nullopt;
    }
    if (spec::only_reduces_whole(algorithm) ? kind != Kind::all_reduce : !has_parts(kind)) {
        return fmt::format("does not do {}", name(kind));
    }
    switch (algorithm) {
        case Algorithm::hierarchical:
        case Algorithm::hierarchical_tree:
        case Algorithm::hierarchical_3: {
            const auto unequal = refuse_unequal(in.nodes);
            return unequal ? unequal : refuse_levels(in, algorithm);
        }
        case Algorithm::nvls:
        case Algorithm::nvls_tree:
        case Algorithm::multimem:
            return refuse_nvls(in, algorithm);
        case Algorithm::sharp:
            return refuse_sharp(in);
        case Algorithm::torus: {
            const auto unequal = refuse_unequal(in.nodes);
            return unequal ? unequal : refuse_torus(in);
        }
        default:
            break;
    }
    const auto n = in.request.members.size();
    if (algorithm == Algorithm::halving_doubling && (n & (n - 1)) != 0) {
        return fmt::format("needs a power of two of members, not {}", n);
    }
    return std::nullopt;
}

}  // namespace sim::collective
