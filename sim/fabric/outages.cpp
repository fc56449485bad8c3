#include "fabric/outages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"

namespace sim::fabric
{
namespace
{

bool of_network(LinkKind kind)
{
    return kind == LinkKind::nic || kind == LinkKind::leaf_spine || kind == LinkKind::spine_core ||
           kind == LinkKind::peer || kind == LinkKind::global;
}

/// What an outage may name: cables by either direction, and what they end at.
std::map<std::string, std::vector<LinkId>> parts_of(const Fabric& fabric)
{
    std::map<std::string, std::vector<LinkId>> parts;
    const auto& links = fabric.graph.links();
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (of_network(links[i].kind)) {
            const LinkId id{i};
            const auto back = Graph::reverse(id);
            parts[links[i].name] = {std::min(id, back), std::max(id, back)};
            auto& of_end = parts[fabric.graph.vertices()[links[i].from.index()].name];
            of_end.push_back(id);
            of_end.push_back(back);
        }
    }
    return parts;
}

Diagnostic unknown(std::size_t outage, const std::string& part,
                   const std::map<std::string, std::vector<LinkId>>& parts)
{
    std::vector<std::string> names;
    for (const auto& [name, links] : parts) {
        names.push_back(name);
    }
    const auto near = closest(part, names);
    Diagnostic diagnostic;
    diagnostic.key = fmt::format("cluster.outages.{}.part", outage);
    diagnostic.message = fmt::format("the network has no \"{}\"", part);
    diagnostic.hint =
        !near.empty() ? fmt::format("did you mean \"{}\"?", near)
        : names.empty()
            ? std::string{"it has no cables"}
            : fmt::format("write a switch, a NIC or a link such as \"{}\"", names.front());
    return diagnostic;
}

/// Intervals that touch or overlap become one.
std::vector<DeadTime> joined(std::vector<DeadTime> times)
{
    std::stable_sort(times.begin(), times.end(), [](const DeadTime& a, const DeadTime& b) {
        return a.link != b.link ? a.link < b.link : a.from < b.from;
    });
    std::vector<DeadTime> kept;
    for (const auto& next : times) {
        const bool touches = !kept.empty() && kept.back().link == next.link &&
                             (!kept.back().until || next.from <= *kept.back().until);
        if (!touches) {
            kept.push_back(next);
        } else if (kept.back().until) {
            kept.back().until =
                next.until ? std::optional{std::max(*kept.back().until, *next.until)} : next.until;
        }
    }
    return kept;
}

/// By vertex of the NICs: which of them can reach each other through switches, as a number they
/// share.
std::vector<std::size_t> components(const Fabric& fabric, const std::vector<char>& dead)
{
    const auto& graph = fabric.graph;
    std::vector<std::size_t> component(graph.vertices().size(), graph.vertices().size());
    for (const auto nic : fabric.nics) {
        if (component[nic.index()] != graph.vertices().size()) {
            continue;
        }
        std::vector<VertexId> queue{nic};
        component[nic.index()] = nic.index();
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const auto id : graph.out_links(queue[i])) {
                const auto& link = graph.links()[id.index()];
                const bool alive = dead.empty() || dead[id.index()] == 0;
                if (alive && of_network(link.kind) &&
                    component[link.to.index()] == graph.vertices().size()) {
                    component[link.to.index()] = nic.index();
                    queue.push_back(link.to);
                }
            }
        }
    }
    return component;
}

/// All but the largest part of what was joined before.
std::vector<VertexId> cut_off(const Fabric& fabric, const std::vector<std::size_t>& before,
                              const std::vector<std::size_t>& now)
{
    std::map<std::size_t, std::map<std::size_t, std::size_t>> sizes;
    for (const auto nic : fabric.nics) {
        ++sizes[before[nic.index()]][now[nic.index()]];
    }
    std::vector<VertexId> lost;
    for (const auto nic : fabric.nics) {
        const auto& parts = sizes[before[nic.index()]];
        const auto largest =
            std::max_element(parts.begin(), parts.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        if (now[nic.index()] != largest->first) {
            lost.push_back(nic);
        }
    }
    return lost;
}

}  // namespace

std::vector<DeadTime> dead_times(const Fabric& fabric, const std::vector<spec::Outage>& outages)
{
    if (outages.empty()) {
        return {};
    }
    const auto parts = parts_of(fabric);
    Diagnostics diagnostics;
    std::vector<DeadTime> times;
    for (std::size_t i = 0; i < outages.size(); ++i) {
        const auto found = parts.find(outages[i].part);
        if (found == parts.end()) {
            diagnostics.push_back(unknown(i, outages[i].part, parts));
            continue;
        }
        for (const auto link : found->second) {
            times.push_back({link, outages[i].from, outages[i].until});
        }
    }
    if (!diagnostics.empty()) {
        throw InputError{diagnostics};
    }
    return joined(std::move(times));
}

std::vector<RoutingEpoch> routing_epochs(const Fabric& fabric,
                                         const std::vector<DeadTime>& dead_times, Time convergence)
{
    std::vector<DeadTime> known;
    std::set<Time> instants;
    for (const auto& time : dead_times) {
        if (time.until && *time.until - time.from <= convergence) {
            continue;
        }
        auto seen = time;
        seen.from += convergence;
        instants.insert(seen.from);
        if (seen.until) {
            seen.until = *seen.until + convergence;
            instants.insert(*seen.until);
        }
        known.push_back(seen);
    }
    std::vector<RoutingEpoch> epochs;
    for (const auto at : instants) {
        auto& epoch = epochs.emplace_back();
        epoch.at = at;
        epoch.dead.assign(fabric.graph.links().size(), 0);
        for (const auto& time : known) {
            if (time.from <= at && (!time.until || at < *time.until)) {
                epoch.dead[time.link.index()] = 1;
            }
        }
    }
    return epochs;
}

void expect_connected(const Fabric& fabric, const std::vector<RoutingEpoch>& epochs)
{
    if (epochs.empty()) {
        return;
    }
    constexpr std::size_t kMostNamed = 3;
    const auto before = components(fabric, {});
    Diagnostics diagnostics;
    for (const auto& epoch : epochs) {
        const auto lost = cut_off(fabric, before, components(fabric, epoch.dead));
        if (lost.empty()) {
            continue;
        }
        std::string names;
        for (std::size_t i = 0; i < std::min(lost.size(), kMostNamed); ++i) {
            names += (i == 0 ? "" : ", ") + fabric.graph.vertices()[lost[i].index()].name;
        }
        if (lost.size() > kMostNamed) {
            names += fmt::format(" and {} more", lost.size() - kMostNamed);
        }
        Diagnostic diagnostic;
        diagnostic.key = "cluster.outages";
        diagnostic.message = fmt::format("cut off {} from {} on: no way to the others is left",
                                         names, to_text(epoch.at));
        diagnostic.hint = "end the outage before routing converges, or add cables";
        diagnostics.push_back(diagnostic);
    }
    if (!diagnostics.empty()) {
        throw InputError{diagnostics};
    }
}

}  // namespace sim::fabric
