#include "collective/shapes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "collective/exchange.hpp"
#include "collective/hierarchy.hpp"
#include "collective/torus_shape.hpp"
#include "collective/tree_shapes.hpp"

namespace sim::collective
{
namespace
{

Phase ring_phase(const Situation& in)
{
    const auto orders = rings(in.fabric, in.nodes);
    const double part = in.bytes() / static_cast<double>(orders.size());
    Phase phase;
    for (std::size_t channel = 0; channel < orders.size(); ++channel) {
        phase.flows.push_back(
            in.flows.ring(in.request.kind, orders[channel], part, in.label(channel)));
    }
    return phase;
}

/// A ring cut open at the root, which is the first member: from it to broadcast, into it to reduce.
Phase chain_phase(const Situation& in)
{
    auto orders = rings(in.fabric, in.nodes);
    const double part = in.bytes() / static_cast<double>(orders.size());
    Phase phase;
    for (std::size_t channel = 0; channel < orders.size(); ++channel) {
        auto& order = orders[channel];
        auto root = std::find(order.begin(), order.end(), in.request.members.front());
        if (in.request.kind == Kind::reduce) {
            ++root;
        }
        std::rotate(order.begin(), root, order.end());
        phase.flows.push_back(in.flows.chain(order, part, in.label(channel)));
    }
    return phase;
}

/// What member `from` of the request has for members of a node, or of all others.
std::vector<Part> parts_for(const Situation& in, std::size_t from, bool own_node)
{
    const auto& members = in.request.members;
    const double equal = in.bytes() / static_cast<double>(members.size());
    const auto node = in.fabric.node_of_gpu[members[from].index()];
    std::vector<Part> parts;
    for (std::size_t to = 0; to < members.size(); ++to) {
        const bool near = in.fabric.node_of_gpu[members[to].index()] == node;
        const double size =
            in.request.parts.empty() ? equal : in.request.parts[from * members.size() + to];
        if (to != from && near == own_node && size > 0) {
            parts.push_back({members[to], size});
        }
    }
    return parts;
}

/// In larger groups the members of a node send in step: the time to share a machine among n flows
/// with n receivers each grows with n^3.
constexpr std::size_t kMostAlone = 512;

/// To members of the own node and to the others, for each member: the NIC does not hold up NVLink.
Phase all_pairs(const Situation& in)
{
    const auto& members = in.request.members;
    std::map<std::pair<NodeId, bool>, std::vector<Flow>> together;
    Phase phase;
    for (std::size_t from = 0; from < members.size(); ++from) {
        for (const bool own_node : {true, false}) {
            const auto parts = parts_for(in, from, own_node);
            if (parts.empty()) {
                continue;
            }
            auto flow = in.flows.scatter(members[from], parts, in.request.label);
            if (members.size() <= kMostAlone || in.request.hops) {
                phase.flows.push_back(std::move(flow));
            } else {
                const auto node = in.fabric.node_of_gpu[members[from].index()];
                together[{node, own_node}].push_back(std::move(flow));
            }
        }
    }
    for (const auto& [which, flows] : together) {
        phase.flows.push_back(coupled(flows));
    }
    return phase;
}

/// First to the member of the own node that stands on the receiver's rail, then along the rails.
std::vector<Phase> pairs_by_rail(const Situation& in)
{
    const auto rails = in.nodes.front().members.size();
    const double chunk = in.bytes() / static_cast<double>(in.request.members.size());
    Phase inside;
    Phase between;
    for (const auto& node : in.nodes) {
        for (std::size_t rail = 0; rail < rails; ++rail) {
            std::vector<Part> near;
            std::vector<Part> far;
            for (std::size_t other = 0; other < rails; ++other) {
                if (other != rail) {
                    near.push_back(
                        {node.members[other], chunk * static_cast<double>(in.nodes.size())});
                }
            }
            for (const auto& there : in.nodes) {
                if (there.node != node.node) {
                    far.push_back({there.members[rail], chunk * static_cast<double>(rails)});
                }
            }
            const auto from = node.members[rail];
            if (!near.empty()) {
                inside.flows.push_back(in.flows.scatter(from, near, in.request.label));
            }
            between.flows.push_back(in.flows.scatter(from, far, in.request.label));
        }
    }
    return inside.flows.empty() ? std::vector<Phase>{between} : std::vector<Phase>{inside, between};
}

/// One phase a step; what a member sends to another in a step is one flow.
std::vector<Phase> exchange_phases(const Situation& in, Algorithm algorithm)
{
    const auto& members = in.request.members;
    const double chunk = in.bytes() / static_cast<double>(members.size());
    std::map<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>, double> sent;
    for (const auto& step :
         exchange_steps(in.request.kind, algorithm, static_cast<std::uint32_t>(members.size()))) {
        sent[{step.step, {step.from, step.to}}] += chunk;
    }
    std::vector<Phase> phases;
    for (const auto& [key, size] : sent) {
        const auto& [step, pair] = key;
        phases.resize(step + 1);
        phases[step].flows.push_back(
            in.flows.send(members[pair.first], members[pair.second], size, in.label(step)));
    }
    return phases;
}

}  // namespace

bool is_pipeline(Kind kind, Algorithm algorithm)
{
    return !is_hierarchical(algorithm) &&
           (algorithm == Algorithm::ring || spec::only_reduces_whole(algorithm) ||
            (algorithm == Algorithm::direct && sends_pairs(kind)));
}

std::vector<Phase> phases(const Situation& in, Algorithm algorithm)
{
    const auto kind = in.request.kind;
    if (kind == Kind::send_recv) {
        return {{{in.flows.send(in.request.members[0], in.request.members[1], in.bytes(),
                                in.label(0))}}};
    }
    if (kind == Kind::all_to_all) {
        return algorithm == Algorithm::hierarchical ? pairs_by_rail(in)
                                                    : std::vector<Phase>{all_pairs(in)};
    }
    if (kind == Kind::broadcast || kind == Kind::reduce) {
        return {chain_phase(in)};
    }
    if (is_hierarchical(algorithm)) {
        return hierarchical_phases(in, algorithm);
    }
    if (is_exchange(algorithm)) {
        return exchange_phases(in, algorithm);
    }
    if (algorithm == Algorithm::torus) {
        return torus_phases(in);
    }
    if (algorithm == Algorithm::tree) {
        return {chain_tree(in)};
    }
    if (algorithm == Algorithm::sharp) {
        return {sharp_phase(in)};
    }
    return {algorithm == Algorithm::ring ? ring_phase(in) : nvls_phase(in)};
}

}  // namespace sim::collective
