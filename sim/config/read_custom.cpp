#include "config/read_custom.hpp"

#include "config/read_switch.hpp"
#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

const Vocabulary<spec::Tier>& tier_words()
{
    static const Vocabulary<spec::Tier> table{
        {"leaf", spec::Tier::leaf}, {"spine", spec::Tier::spine}, {"core", spec::Tier::core}};
    return table;
}

}  // namespace

spec::Network read_custom(MapReader& reader)
{
    spec::CustomSpec spec;
    spec.device = read_switch(reader.section("switch", kSwitchExample));
    for (auto& item : reader.optional_sections("nodes", "{ name: a, gpus: 8 }")) {
        auto& node = spec.nodes.emplace_back();
        node.name = item.required("name", words("a"));
        node.gpus = item.optional("gpus", count("8"));
        node.nics = item.optional("nics", count("8"));
        item.finish();
    }
    for (auto& item : reader.optional_sections("switches", "{ name: s0, tier: leaf }")) {
        auto& device = spec.switches.emplace_back();
        device.name = item.required("name", words("s0"));
        device.tier = item.defaulted("tier", choice(tier_words()), "leaf");
        if (auto model = item.optional_section("model"); model.present()) {
            device.model = read_switch(model);
        }
        item.finish();
    }
    for (auto& item : reader.optional_sections("links", "{ from: a, to: s0 }")) {
        auto& link = spec.links.emplace_back();
        link.from = item.required("from", words("a/nic0"));
        link.to = item.required("to", words("s0"));
        link.bandwidth = item.optional("bandwidth", quantity<Bandwidth>("400 Gbps"));
        link.latency = item.optional("latency", quantity<Time>("100 ns"));
        link.cables = item.defaulted("cables", count("1"), "1");
        item.finish();
    }
    return spec;
}

}  // namespace sim::config
