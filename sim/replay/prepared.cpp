#include "replay/prepared.hpp"

#include "replay/machine.hpp"
#include "workload/training_step.hpp"

namespace sim::replay
{

namespace
{

std::size_t links(const Bundled& built) { return built.fabric.graph.links().size(); }

std::size_t tasks_and_slots(const workload::TaskGraph& graph)
{
    auto sum = graph.slots.size() + graph.ranks();
    for (const auto& program : graph.programs) {
        for (const auto& stream : program.streams) {
            sum += stream.tasks.size();
        }
    }
    return sum;
}

}  // namespace

std::shared_ptr<const Bundled> Prepared::fabric(const spec::ClusterSpec& cluster, Links links_of)
{
    return fabrics_.get(
        {cluster, links_of}, [&] { return built(cluster, links_of); }, links);
}

std::shared_ptr<const workload::TaskGraph> Prepared::graph(const spec::WorkloadSpec& workload)
{
    return graphs_.get(
        workload, [&] { return workload::training_step(workload); }, tasks_and_slots);
}

}  // namespace sim::replay
