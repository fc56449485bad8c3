#include "replay/run.hpp"

#include "formats/trace_graph.hpp"
#include "replay/recorded_job.hpp"
#include "replay/simulate.hpp"
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
