#include "config/measured_systems.hpp"

#include <utility>

#include "config/documents.hpp"
#include "config/map_reader.hpp"

namespace sim::config
{
namespace
{

constexpr const char* kExample = "[{ match: \"DGX H100*\", cluster: path/to/topology.yaml }]";

/// "set: { gpus_per_node: 4 }": keys of the cluster file and what replaces them.
std::vector<Override> read_settings(MapReader& reader)
{
    std::vector<Override> settings;
    const auto* node = reader.ask("set", map_shape(any_shape()));
    if (node == nullptr) {
        return settings;
    }
    for (const auto& entry : node->entries) {
        // A path in a setting would be the working directory's; here it is this file's.
        const bool path = entry.key == "extends" || entry.key.ends_with(".extends");
        settings.push_back({entry.key, path ? path_from(entry.value.mark, entry.value.text)
                                            : flow_text(entry.value)});
    }
    return settings;
}

MeasuredSystem read_system(MapReader reader, bool is_machine)
{
    MeasuredSystem system;
    system.match = reader.required("match", words("DGX H100*"));
    if (is_machine) {
        if (const auto* cluster = reader.ask("cluster", text_shape("path/to/topology.yaml"))) {
            system.cluster = path_from(cluster->mark, cluster->text);
        }
        system.domain = reader.optional("domain", count("72")).value_or(0);
        system.blind = reader.optional("blind", truth("true")).value_or(false);
        system.reason = reader.optional("reason", words("hardware not stated")).value_or("");
    }
    system.settings = read_settings(reader);
    if (is_machine && system.cluster.empty() && system.reason.empty()) {
        static_cast<void>(reader.need("cluster", "path/to/topology.yaml, or reason: why none"));
    }
    reader.finish();
    return system;
}

std::vector<MeasuredSystem> read_list(MapReader& reader, const std::string& name, bool is_machine)
{
    std::vector<MeasuredSystem> list;
    for (auto& item : reader.optional_sections(name, kExample)) {
        list.push_back(read_system(std::move(item), is_machine));
    }
    return list;
}

}  // namespace

MeasuredSystems read_measured_systems(MapReader reader)
{
    MeasuredSystems table;
    static_cast<void>(reader.need("systems", kExample));
    table.systems = read_list(reader, "systems", true);
    table.gpus = read_list(reader, "gpus", true);
    table.transports = read_list(reader, "transports", false);
    reader.finish();
    return table;
}

MeasuredSystems load_measured_systems(const std::string& path)
{
    Documents documents;
    const auto root = documents.load(path, {});
    Report report;
    auto table = read_measured_systems(MapReader{report, root});
    report.throw_if_failed();
    return table;
}

}  // namespace sim::config
