#include "config/read_axes.hpp"

#include <fmt/format.h>

#include <map>

namespace sim::config
{
namespace
{

constexpr const char* kLabel = "label";
constexpr const char* kSettings = "settings";
constexpr const char* kValues = "values";
constexpr const char* kWhen = "when";

/// { label, settings }: a point, or a value of an axis that turns several keys.
Shape point_shape()
{
    return fields_shape(
        {{kLabel, text_shape("400G"), true}, {kSettings, map_shape(any_shape()), true}});
}

Shape values_shape()
{
    const auto value = either_shape({text_shape("1"), list_shape(any_shape()), point_shape()});
    return list_shape(value);
}

Shape axis_shape()
{
    return either_shape({values_shape(),
                         fields_shape({{kValues, values_shape(), true}, {kWhen, text_shape("1")}}),
                         range_shape()});
}

/// Reads axes against the keys that the base experiments offer.
class AxisReader
{
public:
    AxisReader(Report& report, const std::set<std::string>& offered)
        : report_{report}, offered_{offered}
    {
    }

    AxisReading read(const Entry& entry)
    {
        AxisReading reading{{entry.key, {}, {}}, entry.mark, {}};
        const auto path = "axes." + entry.key;
        const auto& node = entry.value;
        if (node.kind != Node::Kind::mapping) {
            list(reading, node, path);
            return reading;
        }
        if (const auto* when = node.find(kWhen)) {
            reading.axis.when = when->value.text;
        }
        if (const auto* values = node.find(kValues)) {
            list(reading, values->value, path);
            only(node, path, {kValues, kWhen});
            return reading;
        }
        check_key(report_, entry.mark, path, entry.key, offered_);
        if (auto steps = read_range(report_, node, path)) {
            reading.continuous = steps->values ? std::optional<Range>{} : steps->range;
            for (const auto& text : steps->values.value_or(std::vector<std::string>{})) {
                reading.axis.values.push_back({text, {{entry.key, text}}});
            }
        }
        return reading;
    }

    /// Items that set several keys each.
    AxisReading points(const Node& node, const Mark& mark)
    {
        AxisReading reading{{"point", {}, {}}, mark, {}};
        if (node.kind != Node::Kind::sequence || node.items.empty()) {
            report_.error(node.mark, "points", "must be a list of points",
                          "write points: [{ label: small, settings: { cluster.nodes: 8 } }]");
            return reading;
        }
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            reading.axis.values.push_back(zipped_value(node.items[i], fmt::format("points.{}", i)));
        }
        return reading;
    }

private:
    void list(AxisReading& reading, const Node& node, const std::string& path)
    {
        const auto& name = reading.axis.name;
        if (node.kind != Node::Kind::sequence) {
            report_.error(node.kind == Node::Kind::null ? reading.mark : node.mark, path,
                          "must be a list, not " + kind_words(node),
                          fmt::format("write {}: [first, second]", name));
            return;
        }
        if (node.items.empty()) {
            report_.error(node.mark, path, "has no values", "an axis needs at least one");
            return;
        }
        const bool zipped = node.items[0].kind == Node::Kind::mapping;
        if (!zipped) {
            check_key(report_, reading.mark, path, name, offered_);
        }
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const auto item_path = fmt::format("{}.{}", path, i);
            reading.axis.values.push_back(zipped ? zipped_value(node.items[i], item_path)
                                                 : plain_value(name, node.items[i], item_path));
        }
    }

    void only(const Node& node, const std::string& path, const std::vector<std::string>& known)
    {
        for (const auto& entry : node.entries) {
            if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
                const auto near = closest(entry.key, known);
                report_.error(entry.mark, path + "." + entry.key, "unknown key",
                              near.empty() ? near : fmt::format("did you mean \"{}\"?", near));
            }
        }
    }

    spec::AxisValue plain_value(const std::string& key, const Node& item, const std::string& path)
    {
        if (item.kind == Node::Kind::mapping || item.kind == Node::Kind::null) {
            report_.error(item.mark, path, "must be a value, not " + kind_words(item),
                          "an axis is a list of values, or a list of { label, settings }");
        }
        const auto text = setting_text(key, item);
        return {item.kind == Node::Kind::scalar ? item.text : text, {{key, text}}};
    }

    spec::AxisValue zipped_value(const Node& item, const std::string& path)
    {
        spec::AxisValue value;
        if (item.kind != Node::Kind::mapping) {
            report_.error(item.mark, path, "must be { label, settings }, not " + kind_words(item),
                          "");
            return value;
        }
        only(item, path, {kLabel, kSettings});
        const auto* label = item.find(kLabel);
        const auto* settings = item.find(kSettings);
        if (label == nullptr || label->value.kind != Node::Kind::scalar) {
            report_.error(item.mark, path + ".label", "missing", "write label: 400G");
        } else {
            value.label = label->value.text;
        }
        if (settings == nullptr || settings->value.kind != Node::Kind::mapping ||
            settings->value.entries.empty()) {
            report_.error(item.mark, path + ".settings", "missing",
                          "write settings: { cluster.nic.bandwidth: 400 Gbps }");
            return value;
        }
        for (const auto& entry : settings->value.entries) {
            check_key(report_, entry.mark, path + ".settings", entry.key, offered_);
            value.settings.push_back({entry.key, setting_text(entry.key, entry.value)});
        }
        return value;
    }

    Report& report_;
    const std::set<std::string>& offered_;
};

/// Two values of one axis that are called the same, or that make the same points.
void check_distinct(Report& report, const AxisReading& reading)
{
    std::set<std::string> labels;
    std::map<std::string, std::string> settings;
    const auto path = "axes." + reading.axis.name;
    for (const auto& value : reading.axis.values) {
        if (!value.label.empty() && !labels.insert(value.label).second) {
            report.error(reading.mark, path,
                         fmt::format("the value \"{}\" stands there twice", value.label), "");
            continue;
        }
        std::string text;
        for (const auto& setting : value.settings) {
            text += fmt::format("{}={}\n", setting.key, setting.text);
        }
        const auto [first, fresh] = settings.emplace(text, value.label);
        if (!fresh && !text.empty()) {
            report.error(reading.mark, path,
                         fmt::format("\"{}\" and \"{}\" set the same", first->second, value.label),
                         "leave one out: a point is known by what it sets");
        }
    }
}

/// Two axes may not both set a key: the later would hide the earlier.
void check_disjoint(Report& report, const std::vector<AxisReading>& axes)
{
    std::map<std::string, std::string> owner;
    for (const auto& reading : axes) {
        for (const auto& value : reading.axis.values) {
            for (const auto& setting : value.settings) {
                const auto [first, fresh] = owner.emplace(setting.key, reading.axis.name);
                if (!fresh && first->second != reading.axis.name) {
                    report.error(
                        reading.mark, "axes." + reading.axis.name,
                        fmt::format("sets {}, as axis \"{}\" does", setting.key, first->second),
                        "put both into one axis of { label, settings }");
                    return;
                }
            }
        }
    }
}

}  // namespace

bool is_path(const std::string& key)
{
    return spec::last_part(key) == "extends" || key == "workload.model" || key == "trace.file";
}

std::string setting_text(const std::string& key, const Node& value)
{
    if (value.kind != Node::Kind::scalar) {
        return flow_text(value);
    }
    return is_path(key) ? path_from(value.mark, value.text) : value.text;
}

void check_key(Report& report, const Mark& mark, const std::string& path, const std::string& key,
               const std::set<std::string>& offered)
{
    const bool extends = spec::last_part(key) == "extends" && key.size() > 8 &&
                         offered.count(key.substr(0, key.size() - 8)) != 0;
    if (extends || offered.count(key) != 0) {
        return;
    }
    const auto near = closest(key, {offered.begin(), offered.end()});
    report.error(mark, path, fmt::format("the experiment has no key \"{}\"", key),
                 near.empty() ? near : fmt::format("did you mean \"{}\"?", near));
}

std::vector<AxisReading> read_axes(MapReader& reader, const std::set<std::string>& offered)
{
    auto& report = reader.report();
    AxisReader axis_reader{report, offered};
    std::vector<AxisReading> axes;
    const auto* points = reader.ask("points", list_shape(point_shape()));
    const bool alone = points == nullptr && !reader.written("plans");
    const auto shape = map_shape(axis_shape());
    const auto* node = alone ? reader.need("axes", "{ cluster.nodes: [8, 16] }", shape)
                             : reader.ask("axes", shape);
    if (points != nullptr) {
        axes.push_back(axis_reader.points(*points, points->mark));
    }
    if (node != nullptr && (node->kind != Node::Kind::mapping || node->entries.empty())) {
        report.error(node->mark, "axes",
                     node->kind == Node::Kind::mapping
                         ? "names no axis"
                         : "must be a mapping of axes, not " + kind_words(*node),
                     "write axes: { cluster.nodes: [8, 16] }");
    } else if (node != nullptr) {
        for (const auto& entry : node->entries) {
            axes.push_back(axis_reader.read(entry));
        }
    }
    if (node != nullptr) {
        report.stands_at("axes", node->mark);
    }
    for (const auto& axis : axes) {
        check_distinct(report, axis);
    }
    check_disjoint(report, axes);
    return axes;
}

}  // namespace sim::config
