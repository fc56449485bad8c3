#include "spec/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sim::spec
{

namespace
{

void check_upkeep(Checker& check, const std::string& name, const Upkeep& upkeep)
{
    if (upkeep.price) {
        check.not_negative(name + ".price", *upkeep.price);
    }
    if (upkeep.power) {
        check.not_negative(name + ".power", *upkeep.power);
    }
}

void check_switch(Checker& check, const std::string& name, const SwitchSpec& spec)
{
    const auto key = "fabric." + name;
    check.positive(key + ".capacity", spec.capacity, "51.2 Tbps");
    check.at_least(key + ".max_ports", spec.max_ports, 1);
    check.not_negative(key + ".latency", spec.latency);
    check_upkeep(check, key, spec.upkeep);
}

void check_oversubscription(Checker& check, const std::string& name, double value)
{
    check.positive("fabric." + name, value, "1 (as much up as down) or 4 (a quarter up)");
}

void check_rate(Checker& check, const std::string& name, const std::optional<Bandwidth>& rate)
{
    if (rate) {
        check.positive("fabric." + name, *rate, "800 Gbps");
    }
}

void check_given(Checker& check, const std::string& name, const std::optional<int>& number,
                 int least)
{
    if (number) {
        check.at_least("fabric." + name, *number, least);
    }
}

void check_kind(Checker& check, const LeafSpineSpec& spec)
{
    check.at_least("fabric.nodes_per_leaf", spec.nodes_per_leaf, 1);
    check_oversubscription(check, "oversubscription", spec.oversubscription);
    check_given(check, "spines", spec.spines, 0);
    check_rate(check, "uplink", spec.uplink);
    check_switch(check, "leaf", spec.leaf);
    check_switch(check, "spine", spec.spine);
}

void check_clos(Checker& check, const ClosSpec& spec)
{
    check.within("fabric.tiers", spec.tiers, 2, 3);
    check_oversubscription(check, "oversubscription", spec.oversubscription);
    check_given(check, "parallel", spec.parallel, 1);
    check_rate(check, "uplink", spec.uplink);
    check_switch(check, "leaf", spec.leaf);
    check_switch(check, "spine", spec.spine);
    if (spec.tiers == 3) {
        check_oversubscription(check, "spine_oversubscription", spec.spine_oversubscription);
        check_given(check, "core_parallel", spec.core_parallel, 1);
        check_switch(check, "core", spec.core);
    }
}

void check_kind(Checker& check, const FatTreeSpec& spec)
{
    check.at_least("fabric.radix", spec.radix, 2);
    check_clos(check, spec.clos);
}

void check_kind(Checker& check, const RailOptimisedSpec& spec)
{
    check.at_least("fabric.nodes_per_block", spec.nodes_per_block, 1);
    check_clos(check, spec.clos);
}

void check_kind(Checker& check, const MultiPlaneSpec& spec)
{
    check.at_least("fabric.planes", spec.planes, 1);
    check.at_least("fabric.nodes_per_leaf", spec.nodes_per_leaf, 1);
    check_clos(check, spec.clos);
}

void check_kind(Checker& check, const TorusSpec& spec)
{
    if (spec.sides.empty()) {
        check.error("fabric.sides", "is empty", "write the switches along each side, as [4, 4, 2]");
    }
    for (const int side : spec.sides) {
        check.at_least("fabric.sides", side, 1);
    }
    if (!spec.wrap.empty() && spec.wrap.size() != spec.sides.size()) {
        check.error("fabric.wrap",
                    fmt::format("has {} entries, but there are {} sides", spec.wrap.size(),
                                spec.sides.size()),
                    "write true or false for each side, or leave it out");
    }
    check.at_least("fabric.nodes_per_switch", spec.nodes_per_switch, 1);
    check.at_least("fabric.parallel", spec.parallel, 1);
    check_rate(check, "link", spec.link);
    check_switch(check, "switch", spec.device);
}

void check_kind(Checker& check, const DragonflySpec& spec)
{
    check.at_least("fabric.nodes_per_switch", spec.nodes_per_switch, 1);
    check.at_least("fabric.switches_per_group", spec.switches_per_group, 1);
    check.at_least("fabric.global_ports", spec.global_ports, 1);
    check_given(check, "groups", spec.groups, 1);
    check_given(check, "links_per_pair", spec.links_per_pair, 1);
    check_rate(check, "local_link", spec.local_link);
    check_rate(check, "global_link", spec.global_link);
    check_switch(check, "switch", spec.device);
}

void check_kind(Checker& check, const SingleSwitchSpec& spec)
{
    check_switch(check, "switch", spec.device);
}

/// Names that vertices are made of: each once, and no '/', which separates a node from its parts.
void check_name(Checker& check, const std::string& key, const std::string& name,
                std::set<std::string>& known)
{
    if (name.empty() || name.find('/') != std::string::npos) {
        check.error(key, fmt::format("\"{}\" is not a name", name), "write a word without \"/\"");
    } else if (!known.insert(name).second) {
        check.error(key, fmt::format("\"{}\" is named twice", name), "give each a name of its own");
    }
}

void check_kind(Checker& check, const CustomSpec& spec)
{
    check_switch(check, "switch", spec.device);
    std::set<std::string> known;
    for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
        const auto key = fmt::format("fabric.nodes.{}", i);
        check_name(check, key + ".name", spec.nodes[i].name, known);
        if (spec.nodes[i].gpus) {
            check.at_least(key + ".gpus", *spec.nodes[i].gpus, 1);
        }
        if (spec.nodes[i].nics) {
            check.at_least(key + ".nics", *spec.nodes[i].nics, 1);
        }
    }
    for (std::size_t i = 0; i < spec.switches.size(); ++i) {
        const auto key = fmt::format("switches.{}", i);
        check_name(check, "fabric." + key + ".name", spec.switches[i].name, known);
        if (spec.switches[i].model) {
            check_switch(check, key + ".model", *spec.switches[i].model);
        }
    }
    for (std::size_t i = 0; i < spec.links.size(); ++i) {
        const auto key = fmt::format("links.{}", i);
        check_rate(check, key + ".bandwidth", spec.links[i].bandwidth);
        check.at_least("fabric." + key + ".cables", spec.links[i].cables, 1);
        if (spec.links[i].latency) {
            check.not_negative("fabric." + key + ".latency", *spec.links[i].latency);
        }
    }
}

/// A flow is split over at most this many queue pairs: each is routed on its own.
constexpr int kMostQueuePairs = 4096;

void check_routing(Checker& check, const FabricSpec& fabric)
{
    const bool torus = std::holds_alternative<TorusSpec>(fabric.network);
    const bool dragonfly = std::holds_alternative<DragonflySpec>(fabric.network);
    if (fabric.routing == Routing::dimension_order && !torus) {
        check.error(
            "fabric.routing",
            fmt::format("dimension_order needs a torus, and this is a {}", kind_name(fabric)),
            "write even, ecmp, up_down or adaptive");
    }
    const auto* by_groups = fabric.routing == Routing::minimal   ? "minimal"
                            : fabric.routing == Routing::valiant ? "valiant"
                            : fabric.routing == Routing::ugal    ? "ugal"
                                                                 : nullptr;
    if (by_groups != nullptr && !dragonfly) {
        check.error(
            "fabric.routing",
            fmt::format("{} needs a dragonfly, and this is a {}", by_groups, kind_name(fabric)),
            "write even, ecmp, up_down or adaptive");
    }
    check.within("fabric.connections", fabric.connections, 1, kMostQueuePairs);
    check.within("fabric.queue_pairs.per_connection", fabric.queue_pairs.per_connection, 1,
                 kMostQueuePairs / std::max(1, std::min(fabric.connections, kMostQueuePairs)));
    check_rate(check, "queue_pairs.rate", fabric.queue_pairs.rate);
    if (fabric.convergence) {
        check.not_negative("fabric.convergence", *fabric.convergence);
    }
    if (fabric.rebalance) {
        check.positive("fabric.rebalance", *fabric.rebalance, "100 us");
        if (!depends_on_load(fabric.routing)) {
            check.error("fabric.rebalance", "is of routing by load alone",
                        "write routing: adaptive or ugal, or leave it out");
        }
    }
}

}  // namespace

std::string_view kind_name(const FabricSpec& fabric)
{
    return std::visit([](const auto& network) { return network.kKind; }, fabric.network);
}

int queue_pairs(const FabricSpec& fabric)
{
    return fabric.connections * fabric.queue_pairs.per_connection;
}

void check_fabric(Checker& check, const FabricSpec& fabric)
{
    std::visit([&](const auto& network) { check_kind(check, network); }, fabric.network);
    check_routing(check, fabric);
    check.not_negative("fabric.cable_latency", fabric.cable_latency);
    check_upkeep(check, "fabric.cable", fabric.cable);
}

}  // namespace sim::spec
