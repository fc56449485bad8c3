#include "replay/run.hpp"

#include "replay/simulate.hpp"
#include "workload/training_step.hpp"

namespace sim::replay
{

Result run(const spec::ExperimentSpec& experiment, const Options& options)
{
    const auto graph = workload::training_step(experiment.workload);
    auto cluster = experiment.cluster;
    cluster.node.gpu = spec::as_used_by(experiment.workload.framework, cluster.node.gpu);
    auto result = run(Job{cluster, graph, experiment.workload.precision, experiment.seed,
                          experiment.steps, experiment.fidelity},
                      options);
    result.footprint = workload::footprint(experiment.workload);
    return result;
}

}  // namespace sim::replay
