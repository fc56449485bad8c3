#include "replay/run.hpp"

#include <memory>
#include <utility>

#include "formats/trace_graph.hpp"
#include "replay/memory_over_time.hpp"
#include "replay/prepared.hpp"
#include "replay/recorded_job.hpp"
#include "replay/simulate.hpp"
#include "replay/tier_use.hpp"

namespace sim::replay
{

namespace
{

using Graph = std::shared_ptr<const workload::TaskGraph>;

/// Collectives of no size are meetings that take no time.
Graph silent(workload::TaskGraph graph)
{
    for (auto& program : graph.programs) {
        for (auto& collective : program.collectives) {
            collective.size = Bytes{};
        }
    }
    return std::make_shared<const workload::TaskGraph>(std::move(graph));
}

Graph graph_of(const spec::ExperimentSpec& experiment, const Scaling& scaling, Prepared& prepared)
{
    auto graph = experiment.trace ? std::make_shared<const workload::TaskGraph>(
                                        formats::trace_graph(recorded_job(experiment)))
                                  : prepared.graph(experiment.workload);
    return scaling.free_communication ? silent(*graph) : graph;
}

}  // namespace

Result run(const spec::ExperimentSpec& experiment, const Options& options)
{
    Prepared prepared;
    return run(experiment, options, prepared);
}

Result run(const spec::ExperimentSpec& experiment, const Options& options, Prepared& prepared)
{
    const auto graph = graph_of(experiment, options.scaling, prepared);
    auto cluster = scaled(experiment.cluster, options.scaling);
    cluster.node.gpu = spec::as_used_by(experiment.workload.framework, cluster.node.gpu);
    Job job{cluster,         *graph,           experiment.workload.precision,
            experiment.seed, experiment.steps, experiment.fidelity};
    job.prepared = &prepared;
    auto result = run(job, options);
    if (!experiment.trace) {
        result.footprint = workload::footprint(experiment.workload);
        result.memory = memory_over_time(experiment, result);
    }
    result.tiers = tier_use(experiment, *graph, result.step);
    return result;
}

}  // namespace sim::replay
