#include "formats/topology_graph.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace sim::formats
{

namespace
{

std::string owner(const std::string& end) { return end.substr(0, end.find('/')); }

}  // namespace

void TopologyGraph::add_node(const std::string& name, std::optional<int> gpus,
                             std::optional<int> nics)
{
    nodes_.push_back({name, gpus, nics});
    node_names_.insert(name);
}

void TopologyGraph::add_switch(const std::string& name) { switches_.push_back(name); }

void TopologyGraph::add_cable(spec::CustomSpec::Cable cable)
{
    const Cable key{cable.from, cable.to, cable.bandwidth, cable.latency};
    const auto [place, is_new] = known_.try_emplace(key, cables_.size());
    if (is_new) {
        cables_.push_back(std::move(cable));
    } else {
        cables_[place->second].cables += cable.cables;
    }
}

std::map<std::string, int> TopologyGraph::distances() const
{
    std::map<std::string, std::vector<std::string>> neighbours;
    for (const auto& cable : cables_) {
        neighbours[owner(cable.from)].push_back(owner(cable.to));
        neighbours[owner(cable.to)].push_back(owner(cable.from));
    }
    std::map<std::string, int> distance;
    std::deque<std::string> waiting;
    for (const auto& node : nodes_) {
        distance[node.name] = 0;
        waiting.push_back(node.name);
    }
    while (!waiting.empty()) {
        const auto name = waiting.front();
        waiting.pop_front();
        for (const auto& next : neighbours[name]) {
            if (distance.try_emplace(next, distance[name] + 1).second) {
                waiting.push_back(next);
            }
        }
    }
    return distance;
}

spec::CustomSpec TopologyGraph::finish() const
{
    spec::CustomSpec spec;
    spec.nodes = nodes_;
    spec.links = cables_;
    const auto distance = distances();
    for (const auto& name : switches_) {
        const auto found = distance.find(name);
        const int hops = found == distance.end() ? 3 : found->second;
        const auto tier = hops <= 1   ? spec::Tier::leaf
                          : hops == 2 ? spec::Tier::spine
                                      : spec::Tier::core;
        spec.switches.push_back({name, tier, std::nullopt});
    }
    return spec;
}

std::vector<std::string> TopologyGraph::unreached() const
{
    const auto distance = distances();
    std::vector<std::string> names;
    std::copy_if(switches_.begin(), switches_.end(), std::back_inserter(names),
                 [&](const auto& name) { return distance.count(name) == 0; });
    return names;
}

int TopologyGraph::most_ports() const
{
    std::map<std::string, int> ports;
    int most = 0;
    for (const auto& cable : cables_) {
        for (const auto& end : {cable.from, cable.to}) {
            if (node_names_.count(owner(end)) == 0) {
                most = std::max(most, ports[end] += cable.cables);
            }
        }
    }
    return most;
}

Bandwidth TopologyGraph::most_capacity() const
{
    std::map<std::string, Bandwidth> sums;
    Bandwidth most{};
    for (const auto& cable : cables_) {
        for (const auto& end : {cable.from, cable.to}) {
            if (cable.bandwidth && node_names_.count(owner(end)) == 0) {
                most = std::max(most, sums[end] += *cable.bandwidth * cable.cables);
            }
        }
    }
    return most;
}

spec::SwitchSpec ideal_switch(int ports, Bandwidth capacity)
{
    spec::SwitchSpec device;
    device.name = "ideal";
    device.max_ports = std::max(ports, 1);
    device.capacity = capacity;
    return device;
}

}  // namespace sim::formats
