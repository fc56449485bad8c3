#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "config/documents.hpp"
#include "config/experiment_reading.hpp"
#include "config/load.hpp"

namespace sim::config
{

namespace
{

const std::set<std::string>& sweep_keys()
{
    static const std::set<std::string> keys{"format", "name", "base", "axes", "seeds", "output"};
    return keys;
}

std::string first_part(const std::string& key) { return key.substr(0, key.find('.')); }

std::string last_part(const std::string& key)
{
    const auto dot = key.rfind('.');
    return dot == std::string::npos ? key : key.substr(dot + 1);
}

/// Values that are paths stand in the sweep file but are used from the command line's folder.
std::string setting_text(const std::string& key, const Node& value)
{
    const bool is_path = last_part(key) == "extends" || key == "workload.model";
    if (value.kind != Node::Kind::scalar) {
        return flow_text(value);
    }
    return is_path ? path_from(value.mark, value.text) : value.text;
}

/// Reads axes against the keys that the base experiment offers.
class AxisReader
{
public:
    AxisReader(Report& report, const std::set<std::string>& offered)
        : report_{report}, offered_{offered}
    {
    }

    spec::Axis read(const Entry& entry)
    {
        spec::Axis axis{entry.key, {}};
        const auto path = "axes." + entry.key;
        const auto& list = entry.value;
        if (list.kind != Node::Kind::sequence) {
            report_.error(list.kind == Node::Kind::null ? entry.mark : list.mark, path,
                          "must be a list, not " + kind_words(list),
                          fmt::format("write {}: [first, second]", entry.key));
            return axis;
        }
        if (list.items.empty()) {
            report_.error(list.mark, path, "has no values", "an axis needs at least one");
        }
        const bool zipped = !list.items.empty() && list.items[0].kind == Node::Kind::mapping;
        if (!zipped) {
            check_key(entry.mark, path, entry.key);
        }
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            const auto item_path = fmt::format("{}.{}", path, i);
            axis.values.push_back(zipped ? zipped_value(list.items[i], item_path)
                                         : plain_value(entry.key, list.items[i], item_path));
        }
        return axis;
    }

private:
    void check_key(const Mark& mark, const std::string& path, const std::string& key)
    {
        const bool extends = last_part(key) == "extends" && key.size() > 8 &&
                             offered_.count(key.substr(0, key.size() - 8)) != 0;
        if (extends || offered_.count(key) != 0) {
            return;
        }
        const auto near = closest(key, {offered_.begin(), offered_.end()});
        report_.error(mark, path, fmt::format("the experiment has no key \"{}\"", key),
                      near.empty() ? near : fmt::format("did you mean \"{}\"?", near));
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
        const auto* label = item.find("label");
        const auto* settings = item.find("settings");
        for (const auto& entry : item.entries) {
            if (&entry != label && &entry != settings) {
                const auto near = closest(entry.key, {"label", "settings"});
                report_.error(entry.mark, path + "." + entry.key, "unknown key",
                              near.empty() ? near : fmt::format("did you mean \"{}\"?", near));
            }
        }
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
            check_key(entry.mark, path + ".settings", entry.key);
            value.settings.push_back({entry.key, setting_text(entry.key, entry.value)});
        }
        return value;
    }

    Report& report_;
    const std::set<std::string>& offered_;
};

void check_labels(Report& report, const Entry& entry, const spec::Axis& axis)
{
    std::set<std::string> seen;
    for (const auto& value : axis.values) {
        if (!value.label.empty() && !seen.insert(value.label).second) {
            report.error(entry.mark, "axes." + entry.key,
                         fmt::format("the value \"{}\" stands there twice", value.label), "");
        }
    }
}

std::vector<spec::Axis> read_axes(MapReader& reader, const std::set<std::string>& offered)
{
    const auto* node = reader.need("axes", "{ cluster.nodes: [8, 16] }");
    std::vector<spec::Axis> axes;
    if (node == nullptr) {
        return axes;
    }
    auto& report = reader.report();
    if (node->kind != Node::Kind::mapping || node->entries.empty()) {
        report.error(node->mark, "axes", "must be a mapping of axes, not " + kind_words(*node),
                     "write axes: { cluster.nodes: [8, 16] }");
        return axes;
    }
    AxisReader axis_reader{report, offered};
    for (const auto& entry : node->entries) {
        axes.push_back(axis_reader.read(entry));
        check_labels(report, entry, axes.back());
    }
    return axes;
}

/// Two axes may not both set a key: the later would hide the earlier.
void check_disjoint(Report& report, const Node& root, const std::vector<spec::Axis>& axes)
{
    std::map<std::string, std::string> owner;
    for (const auto& axis : axes) {
        for (const auto& value : axis.values) {
            for (const auto& setting : value.settings) {
                const auto [first, fresh] = owner.emplace(setting.key, axis.name);
                if (!fresh && first->second != axis.name) {
                    const auto* entry = root.find("axes")->value.find(axis.name);
                    report.error(
                        entry->mark, "axes." + axis.name,
                        fmt::format("sets {}, as axis \"{}\" does", setting.key, first->second),
                        "put both into one axis of { label, settings }");
                    return;
                }
            }
        }
    }
}

std::string read_base(MapReader& reader)
{
    const auto* node = reader.need("base", "../my-experiment.yaml");
    if (node == nullptr) {
        return {};
    }
    const auto text = reader.required("base", words("../my-experiment.yaml"));
    return text.empty() ? text : path_from(node->mark, text);
}

}  // namespace

LoadedSweep load_sweep(const std::string& path, const std::vector<Override>& overrides)
{
    std::vector<Override> own;
    LoadedSweep loaded;
    for (const auto& override : overrides) {
        const bool is_own = sweep_keys().count(first_part(override.key)) != 0;
        (is_own ? own : loaded.overrides).push_back(override);
    }
    Documents documents;
    Report report;
    const auto root = documents.load(path, own);
    MapReader reader{report, root};
    read_format(reader);
    auto& spec = loaded.spec;
    spec.name = reader.defaulted("name", words("my-sweep"), std::filesystem::path{path}.stem());
    loaded.base_path = read_base(reader);
    spec.base = tidy_path(loaded.base_path);
    std::set<std::string> offered;
    std::string base_text;
    if (!loaded.base_path.empty()) {
        static_cast<void>(
            Documents{}.read(loaded.base_path, root.find("base")->value.mark, "base"));
        const auto base = read_experiment(loaded.base_path, loaded.overrides);
        offered = base.report.offered();
        base_text = base.documents.input_text();
    }
    spec.axes = read_axes(reader, offered);
    check_disjoint(report, root, spec.axes);
    spec.seeds = reader.defaulted("seeds", count("20"), "1");
    if (spec.seeds < 1) {
        report.error(report.place_of("seeds"), "seeds", fmt::format("{} is below 1", spec.seeds),
                     "write seeds: 1 or more");
    }
    if (const auto output = reader.optional("output", words("../results/my-sweep.h5"))) {
        spec.output = tidy_path(path_from(report.place_of("output"), *output));
    }
    reader.finish();
    report.throw_if_failed();
    loaded.input_text = documents.input_text() + base_text;
    return loaded;
}

bool is_sweep(const std::string& path)
{
    try {
        Documents documents;
        return documents.load(path, {}).find("axes") != nullptr;
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace sim::config
