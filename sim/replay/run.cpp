#include "replay/run.hpp"

#include "formats/trace_graph.hpp"
#include "replay/memory_over_time.hpp"
#include "replay/recorded_job.hpp"
#include "replay/simulate.hpp"
#include "replay/tier_use.hpp"
#include "workload/training_step.hpp"

namespace sim::replay
{

namespace
{

workload::TaskGraph graph_of(const spec::ExperimentSpec& experiment)
{
    return experiment.trace ? formats::trace_graph(recorded_job(experiment))
                            : workload::training_step(experiment.workload);
}

/// Collectives of no size are meetings that take no time.
void silence(workload::TaskGraph& graph)
{
    for (auto& program : graph.programs) {
        for (auto& collective : program.collectives) {
            collective.size = Bytes{};
        }
    }
}

}  // namespace

Result run(const spec::ExperimentSpec& experiment, const Options& options)
{
    auto graph = graph_of(experiment);
    if (options.scaling.free_communication) {
        silence(graph);
    }
    auto cluster = scaled(experiment.cluster, options.scaling);
    cluster.node.gpu = spec::as_used_by(experiment.workload.framework, cluster.node.gpu);
    auto result = run(Job{cluster, graph, experiment.workload.precision, experiment.seed,
                          experiment.steps, experiment.fidelity},
                      options);
    if (!experiment.trace) {
        result.footprint = workload::footprint(experiment.workload);
        result.memory = memory_over_time(experiment, result);
    }
    result.tiers = tier_use(experiment, graph, result.step);
    return result;
}

}  // namespace sim::replay
