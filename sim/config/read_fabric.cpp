#include "config/read_fabric.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "config/read_custom.hpp"
#include "config/read_switch.hpp"
#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

using KindReader = spec::Network (*)(MapReader&);

spec::Network read_leaf_spine(MapReader& reader)
{
    spec::LeafSpineSpec spec;
    spec.nodes_per_leaf = reader.required("nodes_per_leaf", count("4"));
    spec.oversubscription = reader.required("oversubscription", real_number("1"));
    spec.spines = reader.optional("spines", count("4"));
    spec.uplink = reader.optional("uplink", quantity<Bandwidth>("400 Gbps"));
    spec.leaf = read_switch(reader.section("leaf", kSwitchExample));
    spec.spine = read_switch(reader.section("spine", kSwitchExample));
    return spec;
}

spec::ClosSpec read_clos(MapReader& reader)
{
    spec::ClosSpec spec;
    spec.tiers = reader.defaulted("tiers", count("2"), "2");
    spec.oversubscription = reader.required("oversubscription", real_number("1"));
    spec.parallel = reader.optional("parallel", count("1"));
    spec.uplink = reader.optional("uplink", quantity<Bandwidth>("400 Gbps"));
    spec.leaf = read_switch(reader.section("leaf", kSwitchExample));
    spec.spine = read_switch(reader.section("spine", kSwitchExample));
    if (spec.tiers == 3) {
        spec.spine_oversubscription =
            reader.defaulted("spine_oversubscription", real_number("1"), "1");
        spec.core_parallel = reader.optional("core_parallel", count("1"));
        spec.core = read_switch(reader.section("core", kSwitchExample));
    }
    return spec;
}

spec::Network read_fat_tree(MapReader& reader)
{
    spec::FatTreeSpec spec;
    spec.radix = reader.required("radix", count("64"));
    spec.clos = read_clos(reader);
    return spec;
}

spec::Network read_rail_optimised(MapReader& reader)
{
    spec::RailOptimisedSpec spec;
    spec.nodes_per_block = reader.required("nodes_per_block", count("32"));
    spec.cross_rail = reader.defaulted("cross_rail", truth("true"), "true");
    spec.clos = read_clos(reader);
    return spec;
}

spec::Network read_multi_plane(MapReader& reader)
{
    spec::MultiPlaneSpec spec;
    spec.planes = reader.required("planes", count("2"));
    spec.joined = reader.defaulted("joined", truth("false"), "false");
    spec.rails = reader.defaulted("rails", truth("false"), "false");
    spec.nodes_per_leaf = reader.required("nodes_per_leaf", count("16"));
    spec.clos = read_clos(reader);
    return spec;
}

spec::Network read_torus(MapReader& reader)
{
    spec::TorusSpec spec;
    const auto* sides = reader.need("sides", "[4, 4, 4]");
    if (sides != nullptr) {
        spec.sides = reader.optional_list("sides", count("4")).value_or(std::vector<int>{});
    }
    spec.wrap = reader.optional_list("wrap", truth("true")).value_or(std::vector<bool>{});
    spec.nodes_per_switch = reader.defaulted("nodes_per_switch", count("1"), "1");
    spec.parallel = reader.defaulted("parallel", count("1"), "1");
    spec.link = reader.optional("link", quantity<Bandwidth>("400 Gbps"));
    spec.device = read_switch(reader.section("switch", kSwitchExample));
    return spec;
}

spec::Network read_dragonfly(MapReader& reader)
{
    spec::DragonflySpec spec;
    spec.nodes_per_switch = reader.required("nodes_per_switch", count("2"));
    spec.switches_per_group = reader.required("switches_per_group", count("4"));
    spec.global_ports = reader.required("global_ports", count("2"));
    spec.groups = reader.optional("groups", count("9"));
    spec.links_per_pair = reader.optional("links_per_pair", count("1"));
    spec.local_link = reader.optional("local_link", quantity<Bandwidth>("400 Gbps"));
    spec.global_link = reader.optional("global_link", quantity<Bandwidth>("400 Gbps"));
    spec.device = read_switch(reader.section("switch", kSwitchExample));
    return spec;
}

spec::Network read_single_switch(MapReader& reader)
{
    return spec::SingleSwitchSpec{read_switch(reader.section("switch", kSwitchExample))};
}

const Vocabulary<KindReader>& kind_words()
{
    static const Vocabulary<KindReader> table{
        {std::string{spec::LeafSpineSpec::kKind}, read_leaf_spine},
        {std::string{spec::FatTreeSpec::kKind}, read_fat_tree},
        {std::string{spec::RailOptimisedSpec::kKind}, read_rail_optimised},
        {std::string{spec::MultiPlaneSpec::kKind}, read_multi_plane},
        {std::string{spec::TorusSpec::kKind}, read_torus},
        {std::string{spec::DragonflySpec::kKind}, read_dragonfly},
        {std::string{spec::SingleSwitchSpec::kKind}, read_single_switch},
        {std::string{spec::CustomSpec::kKind}, read_custom}};
    return table;
}

/// "30 m", as metres.
Scalar<double> length()
{
    return {[](const std::string& text) -> Parsed<double> {
                const auto unit = text.find_last_not_of("0123456789. ");
                const auto digits = text.substr(0, text.find_last_of("0123456789") + 1);
                const auto parsed = real_number("30").read(digits);
                const bool metres = unit + 1 == text.size() && text.size() > digits.size() &&
                                    text.substr(text.find_first_not_of(' ', digits.size())) == "m";
                if (!metres || !parsed || *parsed.value < 0) {
                    return {std::nullopt, fmt::format("\"{}\" is not a length", text),
                            "write metres, such as 30 m"};
                }
                return parsed;
            },
            "30 m",
            [] {
                return Shape{.kind = Shape::Kind::pattern,
                             .noun = "a length",
                             .pattern = fmt::format("^{} *m$", kNumberPattern),
                             .sample = "30 m"};
            }};
}

/// One time for all cables, or times by length and tier.
void read_cable_times(MapReader& reader, spec::FabricSpec& fabric)
{
    auto lengths = reader.optional_section("cable_length");
    if (!lengths.present()) {
        fabric.cable_latency = reader.required("cable_latency", quantity<Time>("50 ns"));
        return;
    }
    const auto per_metre = lengths.required("per_metre", quantity<Time>("5 ns"));
    const auto time = [&](const char* tier) -> std::optional<Time> {
        const auto metres = lengths.optional(tier, length());
        return metres ? std::optional{per_metre * *metres} : std::nullopt;
    };
    fabric.cable_times = {time("nic"), time("leaf_spine"), time("spine_core"), time("peer"),
                          time("global")};
    const auto otherwise = time("default");
    if (otherwise && reader.written("cable_latency")) {
        reader.report().error(reader.ask("cable_latency")->mark, reader.path("cable_latency"),
                              "stands beside cable_length.default", "write one of them");
    }
    fabric.cable_latency =
        otherwise ? *otherwise : reader.required("cable_latency", quantity<Time>("50 ns"));
    (void)reader.ask("cable_latency");
    lengths.finish();
}

void read_routing(MapReader& reader, spec::FabricSpec& fabric)
{
    fabric.routing = reader.defaulted("routing", choice(routing_words()), "even");
    fabric.connections = reader.defaulted("connections", count("1"), "1");
    fabric.cross_by_nvlink = reader.defaulted("cross_by_nvlink", truth("false"), "false");
    fabric.convergence = reader.optional("convergence", quantity<Time>("1 s"));
    fabric.rebalance = reader.optional("rebalance", quantity<Time>("100 us"));
    auto pairs = reader.optional_section("queue_pairs");
    if (!pairs.present()) {
        return;
    }
    auto& spec = fabric.queue_pairs;
    spec.per_connection = pairs.defaulted("per_connection", count("1"), "1");
    spec.hashed_by = pairs.defaulted("hashed_by", choice(hashed_by_words()), "queue_pair");
    spec.rate = pairs.optional("rate", quantity<Bandwidth>("100 Gbps"));
    pairs.finish();
}

}  // namespace

spec::Upkeep read_upkeep(MapReader& reader)
{
    spec::Upkeep upkeep;
    upkeep.price = reader.optional("price", quantity<Money>("30 kUSD"));
    upkeep.power = reader.optional("power", quantity<Power>("1.5 kW"));
    return upkeep;
}

spec::SwitchSpec read_switch(MapReader reader)
{
    spec::SwitchSpec device;
    device.name = reader.required("name", words("51.2T"));
    device.capacity = reader.required("capacity", quantity<Bandwidth>("51.2 Tbps"));
    device.max_ports = reader.required("max_ports", count("64"));
    device.latency = reader.required("latency", quantity<Time>("600 ns"));
    device.upkeep = read_upkeep(reader);
    reader.finish();
    return device;
}

spec::FabricSpec read_fabric(MapReader reader)
{
    spec::FabricSpec fabric;
    const auto* kind = reader.need("kind", "leaf_spine");
    if (kind != nullptr) {
        const auto read = reader.optional("kind", choice(kind_words()));
        if (!read) {
            return fabric;  // which other keys are right depends on it
        }
        fabric.network = (*read)(reader);
    } else {
        fabric.network = read_leaf_spine(reader);
    }
    read_cable_times(reader, fabric);
    auto cable = reader.optional_section("cable");
    fabric.cable = read_upkeep(cable);
    cable.finish();
    read_routing(reader, fabric);
    reader.finish();
    return fabric;
}

}  // namespace sim::config
