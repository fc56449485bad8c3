#include "formats/astra_dimensions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/quantity_text.hpp"
#include "formats/topology_graph.hpp"

namespace sim::formats
{

namespace
{

using Shape = AstraDimension::Shape;

constexpr std::int64_t kMostCables = 1 << 20;

std::int64_t product(const std::vector<AstraDimension>& dimensions)
{
    std::int64_t npus = 1;
    for (const auto& dimension : dimensions) {
        npus = std::min(npus * dimension.npus, kMostCables + 1);
    }
    return npus;
}

void add_inside(TopologySource& source, const AstraDimension& dimension, NodeInside& inside)
{
    inside.gpus = dimension.npus;
    inside.nvlink = dimension.rate();
    switch (dimension.shape) {
        case Shape::switched:
            inside.scale_up = spec::HgxSpec{};
            break;
        case Shape::fully_connected:
            inside.scale_up = spec::XgmiSpec{};
            break;
        case Shape::ring: {
            spec::MeshSpec mesh;
            mesh.links_per_gpu = dimension.links();
            for (int i = 0; i + (dimension.npus == 2 ? 1 : 0) < dimension.npus; ++i) {
                mesh.pairs.push_back({{i, (i + 1) % dimension.npus}, 1});
            }
            inside.scale_up = mesh;
            break;
        }
    }
    source.warn({}, fmt::format("dimension 0 has {} a link; nvlink.latency is that of --nvlink, "
                                "which covers the software too",
                                to_text(dimension.latency)));
}

/// Cables of every NPU of every node; NPU k of a node has NIC k and meets only the NPUs k of
/// others.
class Listing
{
public:
    Listing(std::vector<AstraDimension> dimensions, int gpus)
        : dimensions_{std::move(dimensions)}, gpus_{gpus}, nodes_{product(dimensions_)}
    {
        const bool direct = dimensions_.size() == 1 && dimensions_[0].shape == Shape::switched;
        for (int node = 0; node < nodes_; ++node) {
            graph_.add_node(fmt::format("node{}", node), std::nullopt, gpus_);
        }
        for (int gpu = 0; gpu < gpus_; ++gpu) {
            for (int node = 0; node < nodes_ && !direct; ++node) {
                add_router(node, gpu);
            }
            int stride = 1;
            for (std::size_t d = 0; d < dimensions_.size(); ++d) {
                for (int node = 0; node < nodes_; ++node) {
                    join(d, stride, node, gpu);
                }
                stride *= dimensions_[d].npus;
            }
        }
    }

    [[nodiscard]] const TopologyGraph& graph() const { return graph_; }

private:
    [[nodiscard]] bool has_routers() const
    {
        return dimensions_.size() > 1 || dimensions_[0].shape != Shape::switched;
    }
    [[nodiscard]] std::string nic(int node, int gpu) const
    {
        return fmt::format("node{}/nic{}", node, gpu);
    }
    [[nodiscard]] std::string end(int node, int gpu) const
    {
        return has_routers() ? fmt::format("router{}-{}", node, gpu) : nic(node, gpu);
    }

    /// What ASTRA-sim's NPU does itself: pass on what is not for it.
    void add_router(int node, int gpu)
    {
        Bandwidth all{};
        for (const auto& dimension : dimensions_) {
            all += dimension.rate();
        }
        graph_.add_switch(end(node, gpu));
        graph_.add_cable({nic(node, gpu), end(node, gpu), all, Time{}, 1});
    }

    /// The cables of `node` to those that follow it in the line of dimension d.
    void join(std::size_t d, int stride, int node, int gpu)
    {
        const auto& dimension = dimensions_[d];
        const int at = node / stride % dimension.npus;
        const int first = node - at * stride;
        if (dimension.shape == Shape::switched) {
            const auto device = fmt::format("dimension{}-switch{}-{}", d, first, gpu);
            if (at == 0) {
                graph_.add_switch(device);
            }
            add(dimension, end(node, gpu), device);
            return;
        }
        const bool ring = dimension.shape == Shape::ring;
        const int last = ring ? std::min(at + 1, dimension.npus - 1) : dimension.npus - 1;
        for (int next = at + 1; next <= last; ++next) {
            add(dimension, end(node, gpu), end(first + next * stride, gpu));
        }
        if (ring && at == dimension.npus - 1 && dimension.npus > 2) {
            add(dimension, end(node, gpu), end(first, gpu));
        }
    }

    void add(const AstraDimension& dimension, const std::string& from, const std::string& to)
    {
        graph_.add_cable({from, to, dimension.link, dimension.latency, 1});
    }

    std::vector<AstraDimension> dimensions_;
    int gpus_;
    std::int64_t nodes_;
    TopologyGraph graph_;
};

bool is_torus(const std::vector<AstraDimension>& dimensions)
{
    return std::all_of(dimensions.begin(), dimensions.end(), [&](const AstraDimension& dimension) {
        return dimension.shape == Shape::ring && dimension.npus > 2 &&
               dimension.link == dimensions.front().link &&
               dimension.latency == dimensions.front().latency;
    });
}

void add_torus(TopologySource& source, const std::vector<AstraDimension>& dimensions,
               Topology& topology)
{
    spec::TorusSpec torus;
    Bandwidth all{};
    int ports = 1;
    for (const auto& dimension : dimensions) {
        torus.sides.insert(torus.sides.begin(), dimension.npus);
        all += dimension.rate();
        ports += dimension.links();
    }
    torus.link = dimensions.front().link;
    topology.cable_latency = dimensions.front().latency;
    topology.device = ideal_switch(ports, all * (2 * ports));
    topology.network = std::move(torus);
    source.warn({},
                "NPUs pass traffic on themselves; a switch each stands in for that, and its "
                "cable adds the link's latency at each end of a route");
}

std::int64_t cables_of(const std::vector<AstraDimension>& dimensions, std::int64_t npus)
{
    double cables = 0;
    for (const auto& dimension : dimensions) {
        cables += static_cast<double>(npus) * dimension.links();
    }
    return static_cast<std::int64_t>(std::min(cables, 1.0 * kMostCables + 1));
}

}  // namespace

int AstraDimension::links() const
{
    return shape == Shape::fully_connected ? npus - 1 : shape == Shape::ring && npus > 2 ? 2 : 1;
}

Topology assemble_astra(TopologySource& source, const std::vector<AstraDimension>& dimensions,
                        int inner)
{
    Topology topology;
    topology.format = "ASTRA-sim network";
    topology.inside.gpus = 1;
    if (inner > 0) {
        add_inside(source, dimensions.front(), topology.inside);
    }
    const std::vector<AstraDimension> outer{dimensions.begin() + inner, dimensions.end()};
    const int gpus = *topology.inside.gpus;
    const auto npus = product(dimensions);
    topology.nodes = static_cast<int>(product(outer));
    if (outer.empty()) {
        topology.network = spec::SingleSwitchSpec{};
        return topology;
    }
    Bandwidth all{};
    for (const auto& dimension : outer) {
        all += dimension.rate();
    }
    topology.inside.nics = gpus;
    topology.inside.nic = all;
    if (npus > kMostCables || cables_of(outer, npus) > kMostCables) {
        source.error({}, "has more cables than can be listed");
    } else if (gpus == 1 && is_torus(outer)) {
        add_torus(source, outer, topology);
    } else if (gpus == 1 && outer.size() == 1 && outer[0].shape == Shape::switched) {
        topology.network = spec::SingleSwitchSpec{};
        topology.device = ideal_switch(topology.nodes, all * topology.nodes);
        topology.cable_latency = outer[0].latency;
    } else {
        const Listing listing{outer, gpus};
        topology.device =
            ideal_switch(listing.graph().most_ports(), listing.graph().most_capacity());
        topology.cable_latency = Time{};  // every cable has its own
        topology.network = listing.graph().finish();
    }
    return topology;
}

}  // namespace sim::formats
