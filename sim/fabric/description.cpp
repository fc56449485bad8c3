#include "fabric/description.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "fabric/catalogue.hpp"
#include "fabric/max_flow.hpp"

namespace sim::fabric
{
namespace
{

constexpr std::size_t kMostStarts = 256;

bool is_cable(LinkKind kind)
{
    return kind == LinkKind::nic || kind == LinkKind::leaf_spine || kind == LinkKind::spine_core ||
           kind == LinkKind::peer || kind == LinkKind::global;
}

/// Capacity of the links into and out of a tier, seen from below.
struct TierLoad {
    Bandwidth down{};
    Bandwidth up{};
};

std::vector<TierUse> count_tiers(const Fabric& fabric)
{
    const auto& vertices = fabric.graph.vertices();
    std::vector<std::int64_t> ports(vertices.size(), 0);
    std::map<VertexKind, TierLoad> loads;
    for (const auto& link : fabric.graph.links()) {
        ports[link.from.index()] += link.cables;
        const auto below = vertices[link.from.index()].kind;
        const auto above = vertices[link.to.index()].kind;
        if (is_cable(link.kind) && below < above) {
            loads[below].up += link.bandwidth;
            loads[above].down += link.bandwidth;
        }
    }
    std::vector<TierUse> tiers;
    for (const auto kind :
         {VertexKind::leaf, VertexKind::spine, VertexKind::core, VertexKind::nvswitch}) {
        TierUse tier{kind, 0, 0, std::nullopt};
        for (std::size_t vertex = 0; vertex < vertices.size(); ++vertex) {
            if (vertices[vertex].kind == kind) {
                ++tier.switches;
                tier.most_ports = std::max(tier.most_ports, ports[vertex]);
            }
        }
        const auto load = loads.find(kind);
        if (load != loads.end() && load->second.up > Bandwidth{}) {
            tier.oversubscription = load->second.down / load->second.up;
        }
        if (tier.switches > 0) {
            tiers.push_back(tier);
        }
    }
    return tiers;
}

std::vector<CableUse> count_cables(const Fabric& fabric)
{
    std::map<LinkKind, std::int64_t> counts;
    for (const auto& link : fabric.graph.links()) {
        counts[link.kind] += link.cables;
    }
    std::vector<CableUse> cables;
    for (const auto& [kind, directions] : counts) {
        cables.push_back({kind, directions / 2});
    }
    return cables;
}

void fill_bill(Description& description, const spec::ClusterSpec& cluster, const Fabric& fabric)
{
    auto& bill = description.bill;
    for (const auto& order : fabric.switches) {
        bill.push_back({order.model.name, order.count, order.model.upkeep});
    }
    bill.push_back({cluster.node.nic.name, static_cast<std::int64_t>(fabric.nics.size()),
                    cluster.node.nic.upkeep});
    std::int64_t cables = 0;
    for (const auto& use : description.cables) {
        cables += is_cable(use.kind) ? use.cables : 0;
    }
    bill.push_back({"cable", cables, cluster.fabric.cable});
    auto& total = description.total;
    for (const auto& item : bill) {
        const auto count = static_cast<double>(item.count);
        if (item.each.price) {
            total.price = total.price.value_or(Money{}) + *item.each.price * count;
        }
        if (item.each.power) {
            total.power = total.power.value_or(Power{}) + *item.each.power * count;
        }
    }
}

}  // namespace

Description describe_counts(const spec::ClusterSpec& cluster, const Fabric& fabric)
{
    Description description;
    description.nodes = fabric.nodes;
    description.gpus = fabric.gpus.size();
    description.nics = fabric.nics.size();
    description.tiers = count_tiers(fabric);
    description.cables = count_cables(fabric);
    fill_bill(description, cluster, fabric);
    return description;
}

std::int64_t switch_ports(const Description& description)
{
    std::int64_t ports = 0;
    for (const auto& use : description.cables) {
        ports += is_cable(use.kind) ? use.cables * (use.kind == LinkKind::nic ? 1 : 2) : 0;
    }
    return ports;
}

Description describe(const spec::ClusterSpec& cluster, const Fabric& fabric)
{
    auto description = describe_counts(cluster, fabric);
    description.paths = survey(fabric, kMostStarts);
    for (const auto& link : fabric.graph.links()) {
        if (link.kind == LinkKind::nic &&
            fabric.graph.vertices()[link.from.index()].kind == VertexKind::nic) {
            description.injection += link.bandwidth / 2.0;
        }
    }
    const auto closed_form = network_kind(spec::kind_name(cluster.fabric)).bisection;
    const auto bisection = closed_form == nullptr ? std::nullopt : closed_form(cluster);
    description.bisection_by_flow = !bisection;
    description.bisection = bisection ? *bisection : max_flow_bisection(fabric);
    return description;
}

const char* name(VertexKind kind)
{
    static constexpr std::array kNames{"gpu",  "nvswitch", "pcie_switch", "nic",
                                       "leaf", "spine",    "core",        "cpu"};
    return kNames[static_cast<std::size_t>(kind)];
}

const char* name(LinkKind kind)
{
    static constexpr std::array kNames{"nvlink", "pcie",   "nic",    "leaf_spine", "spine_core",
                                       "peer",   "global", "socket", "c2c"};
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace sim::fabric
