#include "config/read_point_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/expression.hpp"

namespace sim::config
{
namespace
{

constexpr const char* kExpression = "expression";
constexpr const char* kUnit = "unit";

Shape derived_shape()
{
    const auto text = text_shape("2");
    return either_shape({text, fields_shape({{kExpression, text, true}, {kUnit, text}})});
}

/// An expression, or labels of axes.
Shape rule_shape()
{
    return either_shape(
        {text_shape("1"), map_shape(either_shape({text_shape("1"), list_shape(any_shape())}))});
}

class RuleReader
{
public:
    RuleReader(MapReader& reader, const std::set<std::string>& offered, spec::SweepSpec& sweep)
        : reader_{reader},
          report_{reader.report()},
          offered_{offered},
          sweep_{sweep},
          names_{spec::variable_names(sweep)}
    {
    }

    void derive()
    {
        const auto* node = reader_.ask("derive", map_shape(derived_shape()));
        if (node == nullptr) {
            return;
        }
        if (node->kind != Node::Kind::mapping) {
            report_.error(node->mark, "derive", "must be a mapping, not " + kind_words(*node),
                          "write derive: { workload.global_batch: \"16 * cluster.nodes\" }");
            return;
        }
        for (const auto& entry : node->entries) {
            const auto path = "derive." + entry.key;
            check_key(report_, entry.mark, path, entry.key, offered_);
            if (std::find(names_.begin(), names_.end(), entry.key) != names_.end()) {
                report_.error(entry.mark, path, "an axis sets this key too", "keep one of them");
            }
            auto derived = derived_key(entry, path);
            report_.stands_at(path, entry.mark);
            sweep_.derived.push_back(std::move(derived));
        }
    }

    [[nodiscard]] std::vector<spec::PointRule> rules(const std::string& name)
    {
        std::vector<spec::PointRule> rules;
        const auto* node = reader_.ask(name, list_shape(rule_shape()));
        if (node == nullptr) {
            return rules;
        }
        if (node->kind != Node::Kind::sequence) {
            report_.error(node->mark, name, "must be a list, not " + kind_words(*node),
                          fmt::format("write {}: [\"cluster.nodes > 8\"]", name));
            return rules;
        }
        for (std::size_t i = 0; i < node->items.size(); ++i) {
            const auto path = fmt::format("{}.{}", name, i);
            report_.stands_at(path, node->items[i].mark);
            rules.push_back(rule(node->items[i], path));
        }
        return rules;
    }

    void conditions()
    {
        for (const auto& axis : sweep_.axes) {
            if (!axis.when.empty()) {
                const auto path = "axes." + axis.name;
                condition(report_.place_of(path), path, axis.when);
            }
        }
    }

private:
    spec::Derived derived_key(const Entry& entry, const std::string& path)
    {
        spec::Derived derived{entry.key, entry.value.text, {}};
        if (entry.value.kind == Node::Kind::mapping) {
            for (const auto& part : entry.value.entries) {
                if (part.key != kExpression && part.key != kUnit) {
                    report_.error(part.mark, path + "." + part.key, "unknown key",
                                  "known are expression and unit");
                }
            }
            const auto* value = entry.value.find(kExpression);
            const auto* unit = entry.value.find(kUnit);
            derived.expression = value == nullptr ? "" : value->value.text;
            derived.unit = unit == nullptr ? "" : unit->value.text;
        }
        if (derived.expression.empty()) {
            report_.error(entry.value.mark, path, "has no expression",
                          "write \"2 * cluster.nodes\" or { expression: \"...\", unit: Gbps }");
        } else {
            expression(entry.value.mark, path, derived.expression);
        }
        return derived;
    }

    spec::PointRule rule(const Node& node, const std::string& path)
    {
        spec::PointRule rule;
        if (node.kind == Node::Kind::scalar) {
            rule.expression = node.text;
            condition(node.mark, path, node.text);
            return rule;
        }
        if (node.kind != Node::Kind::mapping || node.entries.empty()) {
            report_.error(node.mark, path, "must be an expression or { axis: value }", "");
            return rule;
        }
        for (const auto& entry : node.entries) {
            if (std::find(names_.begin(), names_.end(), entry.key) == names_.end()) {
                const auto near = closest(entry.key, names_);
                report_.error(entry.mark, path + "." + entry.key, "is no axis of this sweep",
                              near.empty() ? near : fmt::format("did you mean \"{}\"?", near));
                continue;
            }
            rule.labels.emplace_back(entry.key, labels(entry.value));
        }
        return rule;
    }

    static std::vector<std::string> labels(const Node& node)
    {
        if (node.kind != Node::Kind::sequence) {
            return {node.kind == Node::Kind::scalar ? node.text : flow_text(node)};
        }
        std::vector<std::string> labels;
        for (const auto& item : node.items) {
            labels.push_back(item.kind == Node::Kind::scalar ? item.text : flow_text(item));
        }
        return labels;
    }

    void expression(const Mark& mark, const std::string& path, const std::string& text)
    {
        const auto mistake = expression_mistake(text, names_);
        if (!mistake.empty()) {
            report_.error(mark, path, mistake, "write such as \"2 * cluster.nodes\"");
        }
    }

    void condition(const Mark& mark, const std::string& path, const std::string& text)
    {
        const auto mistake = condition_mistake(text, names_, "axis");
        if (!mistake.empty()) {
            report_.error(mark, path, mistake, "write such as \"cluster.nodes > 8\"");
        }
    }

    MapReader& reader_;
    Report& report_;
    const std::set<std::string>& offered_;
    spec::SweepSpec& sweep_;
    std::vector<std::string> names_;
};

void read_goals(MapReader& section, const std::string& key, bool maximise,
                spec::Objective& objective)
{
    const auto names = spec::metric_names();
    const auto metric = word_shape(names);
    const auto* node = section.ask(key, either_shape({metric, list_shape(metric)}));
    if (node == nullptr) {
        return;
    }
    const auto items = node->kind == Node::Kind::sequence ? node->items : std::vector<Node>{*node};
    for (const auto& item : items) {
        if (std::find(names.begin(), names.end(), item.text) == names.end()) {
            const auto near = closest(item.text, names);
            section.report().error(
                item.mark, section.path(key), fmt::format("\"{}\" is no metric", item.text),
                near.empty() ? fmt::format("write one of {}", fmt::join(names, ", "))
                             : fmt::format("did you mean \"{}\"?", near));
        }
        objective.goals.push_back({item.text, maximise});
    }
}

std::vector<std::string> read_constraints(MapReader& section)
{
    const auto held = section.optional_list("subject_to", words("\"gpu_memory < 70e9\""));
    if (!held) {
        return {};
    }
    const auto* node = section.ask("subject_to");
    for (std::size_t i = 0; i < held->size(); ++i) {
        const auto mistake = condition_mistake((*held)[i], spec::metric_names(), "metric");
        if (!mistake.empty()) {
            section.report().error(node->items[i].mark,
                                   section.path(fmt::format("subject_to.{}", i)), mistake,
                                   "write such as \"gpu_memory < 70e9\"");
        }
    }
    return *held;
}

/// `auto`, or a list of words; nothing when not written.
std::optional<std::vector<std::string>> plan_values(MapReader& section, const std::string& name)
{
    constexpr const char* kAuto = "auto";
    const auto value = name == "recompute" ? text_shape("full") : count("8").shape();
    const auto* node = section.ask(name, either_shape({word_shape({kAuto}), list_shape(value)}));
    if (node == nullptr) {
        return std::nullopt;
    }
    if (node->kind == Node::Kind::scalar && node->text == kAuto) {
        return std::vector<std::string>{};
    }
    std::vector<std::string> values;
    for (const auto& item : node->items) {
        const bool number = item.text.find_first_not_of("0123456789") == std::string::npos &&
                            item.text.size() <= 6 && !item.text.empty() && item.text != "0";
        if (item.kind != Node::Kind::scalar || (name != "recompute" && !number)) {
            section.report().error(item.mark, section.path(name), "must be a whole number above 0",
                                   "");
        }
        values.push_back(item.text);
    }
    if (values.empty()) {
        section.report().error(node->mark, section.path(name), "must be auto or a list",
                               fmt::format("write {}: auto", name));
    }
    return values;
}

}  // namespace

std::vector<spec::PlanKey> read_plans(MapReader& reader)
{
    std::vector<spec::PlanKey> plans;
    auto section = reader.optional_section("plans");
    const std::pair<const char*, const char*> keys[] = {
        {"tensor", "workload.parallel.tensor"},   {"pipeline", "workload.parallel.pipeline"},
        {"context", "workload.parallel.context"}, {"expert", "workload.parallel.expert"},
        {"micro_batch", "workload.micro_batch"},  {"recompute", "workload.recompute"}};
    for (const auto& [name, key] : keys) {
        if (auto values = plan_values(section, name)) {
            plans.push_back({key, std::move(*values)});
        }
    }
    section.finish();
    if (section.present() && plans.empty()) {
        reader.report().error(reader.report().place_of("plans"), "plans", "names nothing to try",
                              "write plans: { tensor: auto, pipeline: auto }");
    }
    return plans;
}

void read_point_rules(MapReader& reader, const std::set<std::string>& offered,
                      spec::SweepSpec& sweep)
{
    RuleReader rules{reader, offered, sweep};
    rules.derive();
    sweep.include = rules.rules("include");
    sweep.exclude = rules.rules("exclude");
    rules.conditions();
}

void read_search(MapReader& reader, spec::SweepSpec& sweep)
{
    auto& report = reader.report();
    auto section = reader.optional_section("objective");
    if (section.present()) {
        spec::Objective objective;
        read_goals(section, "minimise", false, objective);
        read_goals(section, "maximise", true, objective);
        if (objective.goals.empty()) {
            report.error(report.place_of("objective"), "objective", "has nothing to look for",
                         "write minimise: step_time");
        }
        objective.constraints = read_constraints(section);
        sweep.objective = std::move(objective);
    }
    section.finish();
    auto search = reader.optional_section("search");
    if (search.present()) {
        const auto coarse = search.defaulted(
            "coarse", choice<std::string>({{"analytic", "analytic"}, {"flow", "flow"}}),
            "analytic");
        const auto keep = search.required("keep", real_number("0.2"));
        if (!(keep > 0 && keep <= 1)) {
            report.error(report.place_of("search.keep"), "search.keep",
                         "must be above 0 and at most 1", "write keep: 0.2");
        }
        if (!sweep.objective) {
            report.error(report.place_of("search"), "search", "needs an objective",
                         "write objective: { minimise: step_time }");
        }
        sweep.search = spec::Search{coarse, keep};
    }
    search.finish();
}

}  // namespace sim::config
