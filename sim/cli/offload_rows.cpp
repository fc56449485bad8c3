#include "cli/offload_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/copy_run.hpp"
#include "config/load.hpp"
#include "config/scalar.hpp"
#include "config/vocabulary.hpp"
#include "core/diagnostics.hpp"
#include "replay/run.hpp"
#include "workload/layer_operations.hpp"
#include "workload/parameters.hpp"

namespace sim::cli
{

namespace
{

std::vector<std::string> split(const std::string& text, char by)
{
    std::vector<std::string> parts;
    std::size_t from = 0;
    while (from <= text.size() && !text.empty()) {
        const auto end = std::min(text.find(by, from), text.size());
        parts.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return parts;
}

/// "key=value; key=value".
std::vector<config::Override> settings_of(const std::string& text)
{
    std::vector<config::Override> settings;
    for (const auto& part : split(text, ';')) {
        const auto start = part.find_first_not_of(' ');
        const auto equals = part.find('=');
        if (start == std::string::npos || equals == std::string::npos) {
            refuse("settings", fmt::format("\"{}\" sets nothing", part), "write key=value");
        }
        settings.push_back({part.substr(start, equals - start), part.substr(equals + 1)});
    }
    return settings;
}

Time step_of(const spec::ExperimentSpec& experiment) { return replay::run(experiment, {}).step; }

/// What the update adds: the step less that of the same passes with nothing to update outside.
double update_seconds(const spec::ExperimentSpec& experiment)
{
    auto without = experiment;
    without.workload.offload->optimizer = {};
    without.workload.offload->update_on_host = false;
    without.workload.framework.optimizer_bytes_per_parameter = 0;
    return (step_of(experiment) - step_of(without)).base();
}

/// Eight FLOPs a parameter and token, as those who recompute count.
double effective_teraflops(const spec::ExperimentSpec& experiment)
{
    const auto& work = experiment.workload;
    const auto tokens = static_cast<double>(work.global_batch * work.sequence);
    const auto parameters = static_cast<double>(workload::total_parameters(work.model));
    const auto gpus = static_cast<double>(spec::placed_gpus(experiment.cluster));
    return 8 * parameters * tokens / step_of(experiment).base() / gpus / 1e12;
}

/// Until the backward pass begins, of a step of one micro-batch.
double forward_seconds(const spec::ExperimentSpec& experiment)
{
    const auto timeline = replay::run(experiment, {.timeline = true}).timeline;
    double begins = timeline.seconds;
    for (const auto& span : timeline.spans) {
        if (timeline.labels[span.label] == workload::kFirstOfBackward) {
            begins = std::min(begins, span.begin);
        }
    }
    return begins;
}

/// How much longer the step is when the host updates everything.
double speedup(const spec::ExperimentSpec& experiment)
{
    auto all = experiment;
    all.workload.offload->optimizer.share = 1;
    return step_of(all) / step_of(experiment);
}

using Metric = double (*)(const spec::ExperimentSpec&);

const std::vector<std::pair<std::string, Metric>>& metrics()
{
    static const std::vector<std::pair<std::string, Metric>> table{
        {"teraflops", effective_teraflops},
        {"update", update_seconds},
        {"forward", forward_seconds},
        {"backward",
         [](const spec::ExperimentSpec& experiment) {
             return step_of(experiment).base() - update_seconds(experiment) -
                    forward_seconds(experiment);
         }},
        {"tokens",
         [](const spec::ExperimentSpec& experiment) {
             return replay::run(experiment, {}).tokens_per_second_per_gpu;
         }},
        {"speedup", speedup}};
    return table;
}

double run_row(const CsvRow& row, const std::string& file)
{
    const auto loaded = config::load_experiment(file, settings_of(row.text("settings")));
    const auto& asked = row.text("metric");
    std::string known;
    for (const auto& [name, metric] : metrics()) {
        if (name == asked) {
            return metric(loaded.spec);
        }
        known += (known.empty() ? "" : ", ") + name;
    }
    refuse("metric", fmt::format("\"{}\" is not known", asked), "write one of " + known);
}

spec::DataTier tier_of(const std::string& word)
{
    const auto parsed = config::choice(config::data_tier_words()).read(word);
    if (!parsed) {
        refuse("way", parsed.message, parsed.hint);
    }
    return *parsed.value;
}

/// Of all GPUs together, bytes/s; legs that do not overlap take their times one after the other.
double rate_of(const CsvRow& row, const std::string& file)
{
    const auto cluster = config::load_cluster(file, settings_of(row.text("settings")));
    std::vector<RankId> ranks;
    for (int gpu = 0; gpu < row.count("gpus", 1); ++gpu) {
        ranks.emplace_back(static_cast<std::size_t>(gpu));
    }
    const auto bytes = static_cast<std::int64_t>(row.number("bytes", 1e9));
    double seconds = 0;
    for (const auto& leg : split(row.text("way"), '+')) {
        const auto ends = split(leg, ':');
        if (ends.size() != 2) {
            refuse("way", fmt::format("\"{}\" names no two tiers", leg), "write storage:hbm");
        }
        workload::Copy copy{.from = tier_of(ends[0]), .to = tier_of(ends[1])};
        copy.size = Bytes::of(bytes);
        copy.purpose = workload::purpose_of(copy.from, copy.to);
        Time slowest{};
        for (const auto& one : run_copies(cluster, ranks, {copy})) {
            slowest = std::max(slowest, one.time);
        }
        seconds += slowest.base();
    }
    return static_cast<double>(bytes) * static_cast<double>(ranks.size()) / seconds;
}

double predict(const CsvRow& row, const std::string& folder)
{
    const auto file = folder + "/" + row.text("file");
    const auto& kind = row.text("kind");
    if (kind == "run") {
        return run_row(row, file);
    }
    if (kind == "copy") {
        return rate_of(row, file) / 1e9;
    }
    if (kind == "seconds") {
        return row.number("bytes") * row.count("gpus", 1) / rate_of(row, file);
    }
    refuse("kind", fmt::format("\"{}\" is not known", kind), "write run, copy or seconds");
}

}  // namespace

std::vector<OffloadRow> offload_rows(const CsvTable& table, const std::string& folder)
{
    std::vector<OffloadRow> rows;
    for (const auto& row : table.rows()) {
        rows.push_back({row.text("set"), row.text("case"), row.text("use"), row.text("unit"),
                        row.number("measured"), predict(row, folder)});
    }
    return rows;
}

}  // namespace sim::cli
