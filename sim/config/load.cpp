#include "config/load.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "config/documents.hpp"
#include "config/experiment_reading.hpp"
#include "config/model_json.hpp"
#include "config/read_cluster.hpp"
#include "config/read_fidelity.hpp"
#include "config/read_trace.hpp"
#include "config/read_workload.hpp"

namespace sim::config
{

namespace
{

constexpr int kFormat = 1;

}  // namespace

void read_format(MapReader& reader)
{
    const auto known = std::to_string(kFormat);
    const Scalar<int> format{[known](const std::string& text) -> Parsed<int> {
                                 auto read = count(known).read(text);
                                 if (read && *read.value != kFormat) {
                                     return {std::nullopt, text + " is not known to this version",
                                             "write format: " + known};
                                 }
                                 return read;
                             },
                             known, [known] { return word_shape({known}); }};
    static_cast<void>(reader.required("format", format));
}

namespace
{

/// What the machine does: a model with its plan, or a recorded job.
void read_work(MapReader& reader, spec::ExperimentSpec& spec, Documents& documents)
{
    if (reader.ask("trace") == nullptr) {
        const auto ranks = spec::placed_gpus(spec.cluster);
        spec.workload = read_workload(
            reader.section("workload", "{ model: path/to/config.json, ... }"), documents, ranks);
        return;
    }
    spec.trace = read_trace(reader.section("trace", "{ file: path/to/job }"));
    if (const auto* workload = reader.ask("workload")) {
        reader.report().error(workload->mark, "workload", "cannot stand beside trace",
                              "keep one: a model with its plan, or a recorded job");
    }
}

}  // namespace

spec::ExperimentSpec read_experiment(MapReader reader, const std::string& name,
                                     Documents& documents)
{
    spec::ExperimentSpec spec;
    read_format(reader);
    spec.name = reader.defaulted("name", words("my-run"), name);
    spec.cluster =
        read_cluster(reader.section("cluster", "{ extends: path/to/topology.yaml }"), documents);
    read_work(reader, spec, documents);
    spec.fidelity = read_fidelity(reader);
    spec.seed = reader.defaulted("seed", seed_number("42"), "0");
    // What is recorded of a job is one step; a model's is repeated for its steady period.
    spec.steps = reader.defaulted("steps", count("2"), spec.trace ? "1" : "2");
    reader.finish();
    return spec;
}

ExperimentReading read_experiment(const std::string& path, const std::vector<Override>& overrides,
                                  Documents documents)
{
    ExperimentReading reading{{}, std::move(documents), {}};
    const auto root = reading.documents.load(path, overrides);
    auto& report = reading.report;
    auto& spec = reading.spec;
    spec = read_experiment(MapReader{report, root}, std::filesystem::path{path}.stem(),
                           reading.documents);
    if (!report.failed()) {
        report.add_placed(spec::validate(spec));
    }
    report.throw_if_failed();
    return reading;
}

namespace
{

LoadedExperiment loaded(ExperimentReading reading)
{
    auto input_text = reading.documents.input_text();
    const auto report = std::make_shared<Report>(std::move(reading.report));
    return {std::move(reading.spec), std::move(input_text), resolved_text(report->resolved()),
            Places{report, true}};
}

}  // namespace

LoadedExperiment load_experiment(const std::string& path, const std::vector<Override>& overrides)
{
    return loaded(read_experiment(path, overrides));
}

LoadedExperiment load_experiment(const std::string& path, const std::vector<Override>& overrides,
                                 ParsedFiles& known)
{
    return loaded(read_experiment(path, overrides, Documents{known}));
}

spec::ClusterSpec load_cluster(const std::string& path, const std::vector<Override>& overrides)
{
    return load_cluster_with_places(path, overrides).spec;
}

LoadedCluster load_cluster_with_places(const std::string& path,
                                       const std::vector<Override>& overrides)
{
    Documents documents;
    const auto root = documents.load(path, overrides);
    if (root.find("cluster") != nullptr) {
        auto experiment = load_experiment(path, overrides);
        return {std::move(experiment.spec.cluster), std::move(experiment.places)};
    }
    const auto report = std::make_shared<Report>();
    auto cluster = read_cluster(MapReader{*report, root}, documents);
    if (!report->failed()) {
        report->add_placed(spec::validate(cluster, ""));
    }
    report->throw_if_failed();
    return {std::move(cluster), Places{report, false}};
}

spec::ModelSpec load_model(const std::string& path)
{
    Documents documents;
    const auto model = read_model(documents.read(path, {}, ""));
    Report report;
    for (const auto& [name, place] : model.places) {
        report.stands_at(name, place);
    }
    report.add_placed(spec::validate(model.spec, ""));
    report.throw_if_failed();
    return model.spec;
}

}  // namespace sim::config
