#include "formats/simgrid_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/topology_graph.hpp"

namespace sim::formats
{

namespace
{

constexpr int kMostOfOne = 1 << 20;

void wrong_parameters(SimgridFile file, const SimgridCluster& cluster, const std::string& what,
                      const std::string& example)
{
    file.source.error(file.xml.place(cluster.node, "topo_parameters"), what,
                      "write topo_parameters=\"" + example + "\"");
}

}  // namespace

std::vector<std::vector<int>> simgrid_parameters(SimgridFile file, const SimgridCluster& cluster)
{
    std::vector<std::vector<int>> parts(1);
    std::string word;
    for (const char c : cluster.parameters + ';') {
        if (c != ',' && c != ';') {
            word += c;
            continue;
        }
        const auto number = to_count(word);
        if (!number || *number < 1 || *number > kMostOfOne) {
            file.source.error(file.xml.place(cluster.node, "topo_parameters"),
                              fmt::format("\"{}\" is not a number above 0", word));
            return {};
        }
        parts.back().push_back(*number);
        word.clear();
        if (c == ';') {
            parts.emplace_back();
        }
    }
    parts.pop_back();
    return parts;
}

bool simgrid_hosts_agree(SimgridFile file, const SimgridCluster& cluster, std::int64_t places)
{
    const auto hosts = static_cast<std::int64_t>(cluster.radical.size());
    if (places != hosts) {
        file.source.error(file.xml.place(cluster.node, "topo_parameters"),
                          fmt::format("{} have places for {} hosts, radical has {}",
                                      cluster.parameters, places, hosts));
    }
    return places == hosts;
}

Topology simgrid_torus(SimgridFile file, const SimgridCluster& cluster)
{
    const auto parts = simgrid_parameters(file, cluster);
    if (parts.size() != 1) {
        if (!parts.empty()) {
            wrong_parameters(file, cluster, "is not a torus", "3,2,2");
        }
        return {};
    }
    std::int64_t places = 1;
    int links = 0;
    for (const int side : parts[0]) {
        places = std::min<std::int64_t>(places * side, kMostOfOne + 1);
        links += side > 1 ? 2 : 0;
    }
    if (!simgrid_hosts_agree(file, cluster, places)) {
        return {};
    }
    spec::TorusSpec torus;
    torus.sides.assign(parts[0].rbegin(), parts[0].rend());  // our last side counts fastest
    torus.link = cluster.bandwidth;
    Topology topology;
    const auto all = cluster.bandwidth * std::max(links, 1);
    topology.inside.nic = cluster.limiter.value_or(all);
    topology.device = ideal_switch(links + 1, (all + *topology.inside.nic) * (links + 1));
    topology.network = std::move(torus);
    file.source.warn(file.xml.place(cluster.node, "topology"),
                     "hosts are joined to each other; a switch a host stands in for that, and its "
                     "cable adds lat at each end of a route");
    return topology;
}

namespace
{

/// Groups, chassis of a group, routers of a chassis, hosts of a router, and the cables that join
/// two of each.
struct Dragonfly {
    int groups = 0;
    int blue = 0;  ///< cables between two groups
    int chassis = 0;
    int black = 0;  ///< between routers of one place in two chassis
    int routers = 0;
    int green = 0;  ///< between two routers of a chassis
    int hosts = 0;

    [[nodiscard]] int per_group() const { return chassis * routers; }
    [[nodiscard]] std::string name(int group, int index) const
    {
        return fmt::format("group{}-chassis{}-router{}", group, index / routers, index % routers);
    }
};

spec::DragonflySpec builder_spec(const Dragonfly& shape, Bandwidth rate)
{
    spec::DragonflySpec spec;
    spec.nodes_per_switch = shape.hosts;
    spec.switches_per_group = shape.per_group();
    spec.global_ports =
        std::max(1, (shape.groups - 1 + spec.switches_per_group - 1) / spec.switches_per_group);
    spec.groups = shape.groups;
    spec.links_per_pair = 1;
    spec.local_link = rate * (shape.chassis == 1 ? shape.green : shape.black);
    spec.global_link = rate * shape.blue;
    return spec;
}

void add_group(const Dragonfly& shape, int group, TopologyGraph& graph,
               const SimgridCluster& cluster)
{
    const auto join = [&](int a, int b, int cables) {
        graph.add_cable({shape.name(group, a), shape.name(group, b), cluster.bandwidth,
                         cluster.latency, cables});
    };
    for (int a = 0; a < shape.per_group(); ++a) {
        graph.add_switch(shape.name(group, a));
        for (int b = 0; b < a; ++b) {
            if (a / shape.routers == b / shape.routers) {
                join(b, a, shape.green);
            } else if (a % shape.routers == b % shape.routers) {
                join(b, a, shape.black);
            }
        }
    }
}

TopologyGraph listed(const Dragonfly& shape, const SimgridCluster& cluster)
{
    TopologyGraph graph;
    for (int group = 0; group < shape.groups; ++group) {
        add_group(shape, group, graph, cluster);
        for (int other = 0; other < group; ++other) {
            graph.add_cable({shape.name(other, group), shape.name(group, other), cluster.bandwidth,
                             cluster.latency, shape.blue});
        }
    }
    const int per_group = shape.per_group() * shape.hosts;
    for (std::size_t i = 0; i < cluster.radical.size(); ++i) {
        const auto host = static_cast<int>(i);
        const auto name = as_name(cluster.host(i));
        graph.add_node(name, std::nullopt, 1);
        graph.add_cable({name, shape.name(host / per_group, host % per_group / shape.hosts),
                         cluster.limiter.value_or(cluster.bandwidth), cluster.latency, 1});
    }
    return graph;
}

}  // namespace

Topology simgrid_dragonfly(SimgridFile file, const SimgridCluster& cluster)
{
    const auto p = simgrid_parameters(file, cluster);
    const bool shaped = p.size() == 4 && p[0].size() == 2 && p[1].size() == 2 && p[2].size() == 2 &&
                        p[3].size() == 1;
    if (!shaped) {
        if (!p.empty()) {
            wrong_parameters(file, cluster, "is not a dragonfly", "3,4;4,3;5,1;2");
        }
        return {};
    }
    const Dragonfly shape{p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1], p[3][0]};
    const double places = 1.0 * shape.groups * shape.chassis * shape.routers * shape.hosts;
    if (!simgrid_hosts_agree(file, cluster,
                             static_cast<std::int64_t>(std::min(places, 1.0 * kMostOfOne + 1)))) {
        return {};
    }
    Topology topology;
    topology.inside.nic = cluster.limiter.value_or(cluster.bandwidth);
    if (shape.groups > shape.per_group()) {
        file.source.error(file.xml.place(cluster.node, "topo_parameters"),
                          fmt::format("{} groups need as many routers in each, there are {}",
                                      shape.groups, shape.per_group()));
    } else if (shape.chassis == 1 || shape.routers == 1) {
        auto spec = builder_spec(shape, cluster.bandwidth);
        const int ports = spec.nodes_per_switch + spec.switches_per_group - 1 + spec.global_ports;
        const auto widest = std::max({*spec.local_link, *spec.global_link, *topology.inside.nic});
        topology.device = ideal_switch(ports, widest * ports);
        topology.network = std::move(spec);
    } else {
        const auto graph = listed(shape, cluster);
        topology.device = ideal_switch(graph.most_ports(), graph.most_capacity());
        topology.network = graph.finish();
        file.source.warn(file.xml.place(cluster.node, "topology"),
                         "groups of several chassis are not fully joined: written cable by cable, "
                         "so routes are the shortest of the graph");
    }
    return topology;
}

namespace
{

struct FatTree {
    std::vector<int> down;
    std::vector<int> up;
    std::vector<int> cables;

    [[nodiscard]] std::size_t levels() const { return down.size(); }
};

/// Vertices of level l are numbered by the children still to choose above l and the parents chosen
/// up to l; a vertex and a parent of it differ in one digit, which is a child's in the lower one
/// and a parent's in the upper one.
class FatTreeListing
{
public:
    FatTreeListing(const FatTree& tree, const SimgridCluster& cluster)
        : tree_{tree}, cluster_{cluster}
    {
        for (std::size_t i = 0; i < cluster.radical.size(); ++i) {
            graph_.add_node(name(0, static_cast<int>(i)), std::nullopt, 1);
        }
        for (std::size_t level = 0; level < tree.levels(); ++level) {
            join(level);
        }
    }

    [[nodiscard]] const TopologyGraph& graph() const { return graph_; }

private:
    [[nodiscard]] std::string name(std::size_t level, int index) const
    {
        return level == 0 ? as_name(cluster_.host(static_cast<std::size_t>(index)))
                          : fmt::format("level{}-switch{}", level, index);
    }

    void join(std::size_t level)
    {
        int above = 1;  // subtrees of level + 1
        for (std::size_t l = level + 1; l < tree_.levels(); ++l) {
            above *= tree_.down[l];
        }
        int width = 1;  // vertices of this level in one subtree of it
        for (std::size_t l = 0; l < level; ++l) {
            width *= tree_.up[l];
        }
        const int up = tree_.up[level];
        for (int parent = 0; parent < above * width * up; ++parent) {
            graph_.add_switch(name(level + 1, parent));
        }
        for (int tree = 0; tree < above; ++tree) {
            for (int child = 0; child < tree_.down[level]; ++child) {
                for (int i = 0; i < width * up; ++i) {
                    const int below = (tree * tree_.down[level] + child) * width + i / up;
                    graph_.add_cable({name(level, below), name(level + 1, tree * width * up + i),
                                      cluster_.bandwidth, cluster_.latency, tree_.cables[level]});
                }
            }
        }
    }

    const FatTree& tree_;
    const SimgridCluster& cluster_;
    TopologyGraph graph_;
};

/// Two levels of switches: SimGrid's second number up is the number of spines.
spec::LeafSpineSpec leaf_spine(const FatTree& tree, Bandwidth rate)
{
    spec::LeafSpineSpec spec;
    spec.nodes_per_leaf = tree.down[0];
    spec.spines = tree.up[1];
    spec.oversubscription = 1.0 * tree.down[0] / (tree.up[1] * tree.cables[1]);
    spec.uplink = rate;
    const int leaf_ports = tree.down[0] + tree.up[1] * tree.cables[1];
    const int spine_ports = tree.down[1] * tree.cables[1];
    spec.leaf = ideal_switch(leaf_ports, rate * leaf_ports);
    spec.spine = ideal_switch(spine_ports, rate * spine_ports);
    return spec;
}

}  // namespace

Topology simgrid_fat_tree(SimgridFile file, const SimgridCluster& cluster)
{
    const auto p = simgrid_parameters(file, cluster);
    const auto levels = p.size() == 4 && p[0].size() == 1 ? p[0][0] : 0;
    const auto fits = [&](const std::vector<int>& part) {
        return part.size() == static_cast<std::size_t>(levels);
    };
    if (levels < 1 || !fits(p[1]) || !fits(p[2]) || !fits(p[3])) {
        if (!p.empty()) {
            wrong_parameters(file, cluster, "is not a fat tree", "2;4,4;1,2;1,2");
        }
        return {};
    }
    const FatTree tree{p[1], p[2], p[3]};
    std::int64_t places = 1;
    double widest = 1;
    for (std::size_t level = 0; level < tree.levels(); ++level) {
        places = std::min<std::int64_t>(places * tree.down[level], kMostOfOne + 1);
        widest *= std::max(tree.down[level], tree.up[level]) * 1.0;
    }
    if (!simgrid_hosts_agree(file, cluster, places)) {
        return {};
    }
    Topology topology;
    topology.inside.nic = cluster.limiter.value_or(cluster.bandwidth * tree.up[0] * tree.cables[0]);
    const bool one_cable = tree.up[0] == 1 && tree.cables[0] == 1;
    if (levels == 2 && one_cable && !cluster.limiter) {
        topology.network = leaf_spine(tree, cluster.bandwidth);
    } else if (widest > 1.0 * kMostOfOne) {
        file.source.error(file.xml.place(cluster.node, "topo_parameters"),
                          "is too wide to be listed cable by cable");
    } else {
        const FatTreeListing listing{tree, cluster};
        topology.device =
            ideal_switch(listing.graph().most_ports(), listing.graph().most_capacity());
        topology.network = listing.graph().finish();
        file.source.warn(file.xml.place(cluster.node, "topology"),
                         "written cable by cable: no builder has this shape");
    }
    return topology;
}

}  // namespace sim::formats
