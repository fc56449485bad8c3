#include "collective/bound.hpp"

#include <algorithm>
#include <limits>

namespace sim::collective
{
namespace
{

/// All that the flows of a phase put on one link.
struct Load {
    Time busy{};
    Time begins = Time::of(std::numeric_limits<double>::infinity());
};

void raise(Bound& bound, Time time, LinkId link)
{
    if (time > bound.time) {
        bound = {time, link};
    }
}

Bound phase_bound(const Phase& phase, const fabric::Graph& graph)
{
    Bound bound;
    std::vector<Load> loads(phase.flows.size() < 2 ? 0 : graph.links().size());
    for (const auto& flow : phase.flows) {
        Time slowest;
        LinkId slowest_link;
        for (const auto& use : flow.links) {
            const auto bandwidth = graph.links()[use.link.index()].bandwidth;
            const auto busy = Time::of(flow.amount * use.consumption / bandwidth.base());
            raise(bound, flow.latency + busy, use.link);
            if (!loads.empty()) {
                auto& load = loads[use.link.index()];
                load.busy += busy;
                load.begins = std::min(load.begins, flow.latency);
            }
            if (busy > slowest) {
                slowest = busy;
                slowest_link = use.link;
            }
        }
        raise(bound, flow.latency + Time::of(flow.amount / flow.rate_cap), slowest_link);
    }
    for (std::size_t link = 0; link < loads.size(); ++link) {
        if (loads[link].busy > Time{}) {
            raise(bound, loads[link].begins + loads[link].busy, LinkId{link});
        }
    }
    return bound;
}

}  // namespace

Bound lower_bound(const std::vector<Phase>& phases, const fabric::Graph& graph)
{
    Bound total;
    Time longest;
    for (const auto& phase : phases) {
        const auto bound = phase_bound(phase, graph);
        total.time += bound.time;
        if (bound.time > longest) {
            longest = bound.time;
            total.link = bound.link;
        }
    }
    return total;
}

}  // namespace sim::collective
