#include "fabric/scale_up.hpp"

namespace sim::fabric
{
namespace
{

Link nvlink_of(const spec::NvlinkSpec& spec, double part, Time latency)
{
    return {.from = {},
            .to = {},
            .kind = LinkKind::nvlink,
            .bandwidth = spec.bandwidth * spec.efficiency * part,
            .latency = latency,
            .name = {}};
}

}  // namespace

void join_through_switches(Graph& graph, const std::vector<VertexId>& gpus,
                           const spec::NvlinkSpec& nvlink, int switches, const std::string& name)
{
    for (int index = 0; index < switches; ++index) {
        const auto own = switches == 1 ? name : name + std::to_string(index);
        const auto nvswitch = graph.add_vertex({VertexKind::nvswitch, own});
        for (const auto gpu : gpus) {
            // The latency is of GPU to GPU; half of it lies on either side of the switch.
            auto link = nvlink_of(nvlink, 1.0 / switches, nvlink.latency / 2.0);
            link.from = gpu;
            link.to = nvswitch;
            graph.add_duplex(link);
        }
    }
}

void join_pairs(Graph& graph, const std::vector<VertexId>& gpus, const spec::NvlinkSpec& nvlink,
                const spec::MeshSpec& mesh)
{
    for (const auto& pair : mesh.pairs) {
        const double part = static_cast<double>(pair.links) / mesh.links_per_gpu;
        auto link = nvlink_of(nvlink, part, nvlink.latency);
        link.from = gpus[static_cast<std::size_t>(pair.gpus[0])];
        link.to = gpus[static_cast<std::size_t>(pair.gpus[1])];
        link.cables = static_cast<std::uint32_t>(pair.links);
        graph.add_duplex(link);
    }
}

}  // namespace sim::fabric
