#include "replay/run.hpp"

#include <fmt/format.h>

#include "core/log.hpp"
#include "formats/trace_graph.hpp"
#include "formats/trace_load.hpp"
#include "replay/simulate.hpp"
#include "workload/training_step.hpp"

namespace sim::replay
{

namespace
{

/// A recorded job's graph, with what was put right said aloud.
workload::TaskGraph recorded(const spec::ExperimentSpec& experiment)
{
    const auto gpus = static_cast<std::uint32_t>(spec::placed_gpus(experiment.cluster));
    const auto trace = formats::load_trace(*experiment.trace, gpus);
    for (const auto& note : trace.notes) {
        Log{"replay"}.warning(
            fmt::format("{}{}{}", note.file, note.file.empty() ? "" : ": ", note.message));
    }
    return formats::trace_graph(trace);
}

workload::TaskGraph graph_of(const spec::ExperimentSpec& experiment)
{
    return experiment.trace ? recorded(experiment) : workload::training_step(experiment.workload);
}

}  // namespace

Result run(const spec::ExperimentSpec& experiment, const Options& options)
{
    const auto graph = graph_of(experiment);
    auto cluster = experiment.cluster;
    cluster.node.gpu = spec::as_used_by(experiment.workload.framework, cluster.node.gpu);
    auto result = run(Job{cluster, graph, experiment.workload.precision, experiment.seed,
                          experiment.steps, experiment.fidelity},
                      options);
    if (!experiment.trace) {
        result.footprint = workload::footprint(experiment.workload);
    }
    return result;
}

}  // namespace sim::replay
