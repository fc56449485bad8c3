#include <fmt/format.h>

#include <algorithm>

#include "core/split.hpp"
#include "formats/simgrid_shapes.hpp"
#include "formats/simgrid_xml.hpp"
#include "formats/topology_graph.hpp"

namespace sim::formats
{

namespace
{

constexpr std::size_t kMostHosts = 1U << 20U;

/// "100-101,119-120" in that order.
std::vector<int> read_radical(SimgridFile file, const pugi::xml_node& node)
{
    std::vector<int> numbers;
    for (const auto part : split(text_of(node, "radical"), ',')) {
        const auto dash = part.find('-');
        const auto first = to_count(part.substr(0, dash));
        const auto last = dash == part.npos ? first : to_count(part.substr(dash + 1));
        const bool whole = first && last && *first <= *last;
        if (!whole || numbers.size() + static_cast<std::size_t>(*last - *first) >= kMostHosts) {
            file.source.error(file.xml.place(node, "radical"),
                              fmt::format("\"{}\" is not a range of host numbers", part),
                              "write radical=\"0-15\" or \"0-7,16-23\"");
            return {};
        }
        for (int i = *first; i <= *last; ++i) {
            numbers.push_back(i);
        }
    }
    auto sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
        file.source.error(file.xml.place(node, "radical"),
                          fmt::format("names host {} twice", *twice));
    }
    return numbers;
}

void check_sharing(SimgridFile file, const pugi::xml_node& node)
{
    const auto sharing = text_of(node, "sharing_policy");
    if (sharing == "SHARED") {
        file.source.warn(file.xml.place(node, "sharing_policy"),
                         "both directions share these links; cables of ours are full duplex");
    } else if (sharing == "FATPIPE") {
        file.source.error(file.xml.place(node, "sharing_policy"),
                          "a FATPIPE is never full; no cable is like that");
    } else if (!sharing.empty() && sharing != "SPLITDUPLEX") {
        file.source.error(file.xml.place(node, "sharing_policy"),
                          fmt::format("\"{}\" is no sharing policy", sharing),
                          "write SPLITDUPLEX or SHARED");
    }
    if (node.attribute("bb_bw")) {
        file.source.error(file.xml.place(node, "bb_bw"),
                          "a backbone that all hosts share has no counterpart among switches",
                          "describe the switches, or take bb_bw and bb_lat out");
    }
    if (node.attribute("loopback_bw")) {
        file.source.warn(file.xml.place(node, "loopback_bw"),
                         "what a host sends to itself crosses no link; the loopback is left out");
    }
}

Topology flat(SimgridFile /*file*/, const SimgridCluster& cluster, Bandwidth nic)
{
    const auto hosts = static_cast<int>(cluster.radical.size());
    Topology topology;
    topology.inside.nic = nic;
    topology.network = spec::SingleSwitchSpec{};
    topology.device = ideal_switch(hosts, nic * hosts);
    return topology;
}

}  // namespace

std::string SimgridCluster::host(std::size_t index) const
{
    return fmt::format("{}{}{}", prefix, radical[index], suffix);
}

std::string SimgridCluster::router() const { return prefix + id + "_router" + suffix; }

SimgridCluster read_simgrid_cluster(SimgridFile file, const pugi::xml_node& node)
{
    SimgridCluster cluster;
    cluster.node = node;
    cluster.id = text_of(node, "id");
    cluster.prefix = text_of(node, "prefix");
    cluster.suffix = text_of(node, "suffix");
    cluster.radical = read_radical(file, node);
    cluster.bandwidth = simgrid_quantity<Bandwidth>(file, node, "bw");
    cluster.latency = simgrid_quantity<Time>(file, node, "lat");
    if (node.attribute("limiter_link")) {
        cluster.limiter = simgrid_quantity<Bandwidth>(file, node, "limiter_link");
        file.source.warn(file.xml.place(node, "limiter_link"),
                         "the limiter of a host counts both directions; it becomes the rate of "
                         "each direction of the NIC");
    }
    cluster.topology = text_of(node, "topology");
    cluster.parameters = text_of(node, "topo_parameters");
    if (cluster.topology == "FLAT") {
        cluster.topology.clear();
    }
    check_sharing(file, node);
    if (cluster.bandwidth == Bandwidth{} && !file.source.failed()) {
        file.source.error(file.xml.place(node, "bw"), "a cluster without bandwidth");
    }
    return cluster;
}

Topology simgrid_cluster_topology(SimgridFile file, const SimgridCluster& cluster)
{
    Topology topology;
    if (cluster.topology.empty()) {
        topology = flat(file, cluster, cluster.limiter.value_or(cluster.bandwidth));
    } else if (cluster.topology == "FAT_TREE") {
        topology = simgrid_fat_tree(file, cluster);
    } else if (cluster.topology == "TORUS") {
        topology = simgrid_torus(file, cluster);
    } else if (cluster.topology == "DRAGONFLY") {
        topology = simgrid_dragonfly(file, cluster);
    } else {
        file.source.error(file.xml.place(cluster.node, "topology"),
                          fmt::format("\"{}\" is no topology", cluster.topology),
                          "write FLAT, FAT_TREE, TORUS or DRAGONFLY");
    }
    topology.nodes = static_cast<int>(cluster.radical.size());
    topology.inside.nics = 1;
    topology.cable_latency = cluster.latency;
    return topology;
}

}  // namespace sim::formats
