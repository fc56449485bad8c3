#include "config/read_fidelity.hpp"

#include <utility>

#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

constexpr const char* kKey = "fidelity";
constexpr const char* kDefault = "flow";

using Field = std::optional<spec::Fidelity> spec::FidelitySpec::*;

constexpr std::pair<const char*, Field> kKinds[] = {
    {"all_reduce", &spec::FidelitySpec::all_reduce},
    {"all_gather", &spec::FidelitySpec::all_gather},
    {"reduce_scatter", &spec::FidelitySpec::reduce_scatter},
    {"all_to_all", &spec::FidelitySpec::all_to_all},
    {"broadcast", &spec::FidelitySpec::broadcast},
    {"send_recv", &spec::FidelitySpec::send_recv},
};

}  // namespace

spec::FidelitySpec read_fidelity(MapReader& reader)
{
    const auto word = choice(fidelity_words());
    spec::FidelitySpec spec;
    for (const auto& [name, field] : kKinds) {
        reader.report().offer(std::string{kKey} + "." + name);  // also where one word stands
    }
    const auto* node = reader.ask(kKey);
    if (node == nullptr || node->kind != Node::Kind::mapping) {
        spec.otherwise = reader.defaulted(kKey, word, kDefault);
        return spec;
    }
    auto section = reader.optional_section(kKey);
    spec.otherwise = section.defaulted("default", word, kDefault);
    for (const auto& [name, field] : kKinds) {
        spec.*field = section.optional(name, word);
    }
    section.finish();
    return spec;
}

}  // namespace sim::config
