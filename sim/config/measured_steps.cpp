#include "config/measured_steps.hpp"

#include "config/documents.hpp"
#include "config/map_reader.hpp"

namespace sim::config
{
namespace
{

constexpr const char* kExample = "[{ where: { gpu: \"A100*\" }, cluster: path/to/topology.yaml }]";

std::vector<Cell> read_cells(MapReader& reader, const std::string& name)
{
    std::vector<Cell> cells;
    if (const auto* node = reader.ask(name, map_shape(text_shape("1")))) {
        for (const auto& entry : node->entries) {
            cells.emplace_back(entry.key, entry.value.text);
        }
    }
    return cells;
}

std::string read_path(MapReader& reader, const std::string& name)
{
    const auto* node = reader.ask(name, text_shape("path/to/file"));
    return node == nullptr ? "" : path_from(node->mark, node->text);
}

std::vector<Override> read_settings(MapReader& reader)
{
    std::vector<Override> settings;
    if (const auto* node = reader.ask("set", map_shape(any_shape()))) {
        for (const auto& entry : node->entries) {
            // A path in a setting would be the working directory's; here it is this file's.
            const bool path = entry.key == "extends" || entry.key.ends_with(".extends");
            settings.push_back({entry.key, path ? path_from(entry.value.mark, entry.value.text)
                                                : flow_text(entry.value)});
        }
    }
    return settings;
}

StepRule read_rule(MapReader& reader)
{
    StepRule rule;
    rule.where = read_cells(reader, "where");
    rule.cluster = read_path(reader, "cluster");
    rule.settings = read_settings(reader);
    rule.framework = read_path(reader, "framework");
    rule.model = read_path(reader, "model");
    rule.fill = read_cells(reader, "fill");
    rule.correct = read_cells(reader, "correct");
    rule.reason = reader.optional("reason", words("hardware not stated")).value_or("");
    reader.finish();
    return rule;
}

}  // namespace

std::vector<StepRule> read_step_rules(MapReader reader)
{
    static_cast<void>(reader.need("rules", kExample));
    std::vector<StepRule> rules;
    for (auto& item : reader.optional_sections("rules", kExample)) {
        rules.push_back(read_rule(item));
    }
    reader.finish();
    return rules;
}

std::vector<StepRule> load_step_rules(const std::string& path)
{
    Documents documents;
    const auto root = documents.load(path, {});
    Report report;
    auto rules = read_step_rules(MapReader{report, root});
    report.throw_if_failed();
    return rules;
}

}  // namespace sim::config
