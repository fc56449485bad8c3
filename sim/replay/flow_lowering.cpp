#include "replay/flow_lowering.hpp"

#include <map>
#include <vector>

namespace sim::replay
{

namespace
{

/// The flow's links less what its planned routes take of them.
std::vector<collective::LinkUse> without_routes(const collective::Flow& flow,
                                                const Machine& machine)
{
    // Below this, relative, what is left of a link is the rounding of the difference.
    constexpr double kRounding = 1e-9;
    std::map<LinkId, double> planned;
    for (const auto& route : flow.routes) {
        for (const auto& hop : machine.router().route(route.from, route.to, route.label).hops) {
            planned[hop.link] += hop.fraction * route.consumption;
        }
    }
    std::vector<collective::LinkUse> left;
    for (const auto& use : flow.links) {
        const auto found = planned.find(use.link);
        const double rest = use.consumption - (found == planned.end() ? 0 : found->second);
        if (rest > kRounding * use.consumption) {
            left.push_back({use.link, rest});
        }
    }
    return left;
}

}  // namespace

void append_flow(LoweredCollective& lowered, const collective::Flow& flow, const Machine& machine)
{
    LoweredFlow own;
    own.amount = flow.amount;
    own.latency = flow.latency;
    own.share = flow.share;
    own.rate_cap = flow.rate_cap;
    own.first_use = static_cast<std::uint32_t>(lowered.uses.size());
    own.first_route = static_cast<std::uint32_t>(lowered.routes.size());
    const auto add_links = [&](const std::vector<collective::LinkUse>& links) {
        for (const auto& use : links) {
            lowered.uses.push_back({machine.link(use.link), use.consumption});
        }
    };
    if (machine.routes_change()) {
        add_links(without_routes(flow, machine));
        for (const auto& route : flow.routes) {
            lowered.routes.push_back({route.from, route.to, route.label, route.consumption});
        }
    } else {
        add_links(flow.links);
    }
    for (const auto& use : flow.memories) {
        lowered.uses.push_back({machine.hbm(use.gpu), use.consumption});
    }
    own.uses = static_cast<std::uint32_t>(lowered.uses.size()) - own.first_use;
    own.routes = static_cast<std::uint32_t>(lowered.routes.size()) - own.first_route;
    lowered.flows.push_back(own);
}

}  // namespace sim::replay
