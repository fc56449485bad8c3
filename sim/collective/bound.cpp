#include "collective/bound.hpp"

#include <algorithm>

namespace sim::collective
{
namespace
{

struct Load {
    LinkId link;
    Time busy;
    Time begins;
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
    std::vector<Load> loads;
    for (const auto& flow : phase.flows) {
        for (const auto& use : flow.links) {
            const auto bandwidth = graph.links()[use.link.index()].bandwidth;
            const auto busy = Time::of(flow.amount * use.consumption / bandwidth.base());
            raise(bound, flow.latency + busy, use.link);
            loads.push_back({use.link, busy, flow.latency});
        }
    }
    if (phase.flows.size() < 2) {
        return bound;
    }
    std::stable_sort(loads.begin(), loads.end(),
                     [](const Load& a, const Load& b) { return a.link < b.link; });
    for (std::size_t i = 0; i < loads.size();) {
        auto sum = loads[i];
        for (++i; i < loads.size() && loads[i].link == sum.link; ++i) {
            sum.busy += loads[i].busy;
            sum.begins = std::min(sum.begins, loads[i].begins);
        }
        raise(bound, sum.begins + sum.busy, sum.link);
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
