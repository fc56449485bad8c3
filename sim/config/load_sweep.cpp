#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "config/documents.hpp"
#include "config/experiment_reading.hpp"
#include "config/load.hpp"
#include "config/read_axes.hpp"
#include "config/read_point_rules.hpp"
#include "config/shape.hpp"

namespace sim::config
{

namespace
{

constexpr const char* kExampleBase = "../my-experiment.yaml";
constexpr const char* kLabel = "label";
constexpr const char* kPath = "path";

const std::set<std::string>& sweep_keys()
{
    static const std::set<std::string> keys{"format",    "name",   "base",   "axes",    "points",
                                            "sample",    "plans",  "derive", "include", "exclude",
                                            "objective", "search", "seeds",  "output"};
    return keys;
}

std::string first_part(const std::string& key) { return key.substr(0, key.find('.')); }

Shape base_shape()
{
    const auto path = text_shape(kExampleBase);
    const auto labelled = fields_shape({{kLabel, text_shape("small")}, {kPath, path, true}});
    return either_shape({path, labelled, list_shape(either_shape({path, labelled}))});
}

/// One item of `base`: a path, or { label, path }.
void add_base(Report& report, const Node& node, std::vector<spec::Base>& bases)
{
    for (const auto& entry : node.entries) {
        if (entry.key != kLabel && entry.key != kPath) {
            report.error(entry.mark, "base." + entry.key, "unknown key",
                         "beside \"path\" stands \"label\" only");
        }
    }
    const auto* label = node.find(kLabel);
    const auto* path = node.find(kPath);
    const auto& text = path == nullptr ? node : path->value;
    if (text.kind != Node::Kind::scalar || text.text.empty()) {
        report.error(node.mark, "base", "must be a path, or { label, path }",
                     fmt::format("write base: {}", kExampleBase));
        return;
    }
    const auto opened = path_from(text.mark, text.text);
    const auto stem = std::filesystem::path{text.text}.stem().string();
    bases.push_back({label == nullptr ? stem : label->value.text, opened});
}

std::vector<spec::Base> read_bases(MapReader& reader)
{
    std::vector<spec::Base> bases;
    const auto* node = reader.need("base", kExampleBase, base_shape());
    if (node == nullptr) {
        return bases;
    }
    const bool several = node->kind == Node::Kind::sequence;
    const auto items = several ? node->items : std::vector<Node>{*node};
    if (items.empty()) {
        reader.report().error(node->mark, "base", "has no files",
                              fmt::format("write base: {}", kExampleBase));
    }
    for (const auto& item : items) {
        add_base(reader.report(), item, bases);
    }
    reader.report().record("base", *node);
    return bases;
}

/// What the base experiments read and offer.
struct BaseFiles {
    std::set<std::string> offered;
    std::string text;
};

BaseFiles read_base_files(const std::vector<spec::Base>& bases, const Mark& mark,
                          const std::vector<Override>& overrides)
{
    BaseFiles files;
    for (const auto& base : bases) {
        static_cast<void>(Documents{}.read(base.path, mark, "base"));
        const auto reading = read_experiment(base.path, overrides);
        files.offered.insert(reading.report.offered().begin(), reading.report.offered().end());
        files.text += reading.documents.input_text();
    }
    return files;
}

/// The files that values of axes name, with all they extend: what a point reads beside its base.
std::map<std::string, std::string> files_of(const std::vector<spec::Axis>& axes)
{
    std::map<std::string, std::string> texts;
    for (const auto& axis : axes) {
        for (const auto& value : axis.values) {
            for (const auto& setting : value.settings) {
                const bool model = setting.key == "workload.model";
                const bool extends = is_path(setting.key) && setting.key.back() == 's';
                if (!(model || extends) || texts.count(setting.text) != 0) {
                    continue;
                }
                Documents documents;
                if (model) {
                    static_cast<void>(documents.read(setting.text, {}, setting.key));
                } else {
                    static_cast<void>(documents.load(setting.text, {}));
                }
                texts[setting.text] = documents.input_text();
            }
        }
    }
    return texts;
}

spec::Axis base_axis(const std::vector<spec::Base>& bases)
{
    spec::Axis axis{spec::kBaseKey, {}, {}};
    for (const auto& base : bases) {
        axis.values.push_back({base.label, {{spec::kBaseKey, base.path}}});
    }
    return axis;
}

void check_count(Report& report, const std::vector<spec::Axis>& axes)
{
    double points = 1;
    for (const auto& axis : axes) {
        points *= static_cast<double>(axis.values.size());
    }
    if (points > spec::kMostPoints) {
        report.error(report.place_of("axes"), "axes",
                     fmt::format("make {:.3g} points, at most {:.0g} can be planned", points,
                                 spec::kMostPoints),
                     "take fewer values, or draw points with sample: { points: 1000 }");
    }
}

}  // namespace

spec::SweepSpec read_sweep(MapReader reader, const std::string& name, const Offer& offer)
{
    auto& report = reader.report();
    spec::SweepSpec spec;
    read_format(reader);
    spec.name = reader.defaulted("name", words("my-sweep"), name);
    spec.bases = read_bases(reader);
    const auto offered = offer(spec.bases);
    auto axes = read_axes(reader, offered);
    spec.axes = read_sample(reader, std::move(axes));
    if (spec.bases.size() > 1) {
        spec.axes.insert(spec.axes.begin(), base_axis(spec.bases));
    }
    spec.plans = read_plans(reader);
    check_count(report, spec.axes);
    read_point_rules(reader, offered, spec);
    read_search(reader, spec);
    spec.seeds = reader.defaulted("seeds", count("20"), "1");
    if (spec.seeds < 1) {
        report.error(report.place_of("seeds"), "seeds", fmt::format("{} is below 1", spec.seeds),
                     "write seeds: 1 or more");
    }
    if (const auto output = reader.optional("output", words("../results/my-sweep.h5"))) {
        spec.output = tidy_path(path_from(report.place_of("output"), *output));
    }
    reader.finish();
    return spec;
}

LoadedSweep load_sweep(const std::string& path, const std::vector<Override>& overrides)
{
    std::vector<Override> own;
    LoadedSweep loaded;
    for (const auto& override : overrides) {
        const bool is_own = sweep_keys().count(first_part(override.key)) != 0;
        (is_own ? own : loaded.overrides).push_back(override);
    }
    Documents documents;
    const auto report = std::make_shared<Report>();
    const auto root = documents.load(path, own);
    const auto offer = [&](const std::vector<spec::Base>& bases) {
        auto base = read_base_files(bases, report->place_of("base"), loaded.overrides);
        loaded.base_text = std::move(base.text);
        return std::move(base.offered);
    };
    loaded.spec = read_sweep(MapReader{*report, root}, std::filesystem::path{path}.stem(), offer);
    report->throw_if_failed();
    loaded.files = files_of(loaded.spec.axes);
    loaded.input_text = documents.input_text() + loaded.base_text;
    for (const auto& [name, text] : loaded.files) {
        loaded.input_text += text;
    }
    loaded.places = Places{report, true};
    return loaded;
}

bool is_sweep(const std::string& path)
{
    try {
        Documents documents;
        const auto root = documents.load(path, {});
        return root.find("axes") != nullptr || root.find("points") != nullptr ||
               root.find("plans") != nullptr;
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace sim::config
