#include "replay/exported_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compute/kernel_cost.hpp"
#include "core/diagnostics.hpp"
#include "replay/recorded_job.hpp"
#include "workload/training_step.hpp"

namespace sim::replay
{

namespace
{

using formats::TraceKind;
using formats::TraceNode;

double seconds_of(const workload::Kernel& kernel, const spec::GpuSpec& gpu)
{
    if (kernel.recorded_seconds || kernel.of_host) {
        return kernel.recorded_seconds.value_or(0);
    }
    return compute::cost(kernel.operation, gpu).alone.base();
}

/// Writes a rank's program as nodes, in an order that dependences do not look back in.
class Writer
{
public:
    Writer(const workload::TaskGraph& graph, const spec::GpuSpec& gpu, std::uint32_t rank)
        : graph_{graph},
          gpu_{gpu},
          rank_{rank},
          program_{graph.programs[graph.program_of_rank[rank].index()]}
    {
        std::uint32_t next = 0;
        for (const auto& stream : program_.streams) {
            first_.push_back(next);
            next += static_cast<std::uint32_t>(stream.tasks.size());
        }
    }

    formats::TraceRank write()
    {
        for (std::uint32_t stream = 0; stream < program_.streams.size(); ++stream) {
            const auto& tasks = program_.streams[stream].tasks;
            for (std::uint32_t position = 0; position < tasks.size(); ++position) {
                add(stream, position, tasks[position]);
            }
        }
        made_.lanes = static_cast<std::uint32_t>(std::max<std::size_t>(1, program_.streams.size()));
        return std::move(made_);
    }

private:
    void add(std::uint32_t stream, std::uint32_t position, const workload::Task& task)
    {
        auto node = node_of(stream, task);
        node.id = first_[stream] + position;
        node.first_dependence = static_cast<std::uint32_t>(made_.dependences.size());
        if (position > 0) {
            made_.dependences.push_back(first_[stream] + position - 1);
        }
        for (std::uint32_t i = 0; i < task.dependences; ++i) {
            const auto& on = program_.dependences[task.first_dependence + i];
            if (on.steps_back == 0) {  // one step is all there is
                made_.dependences.push_back(first_[on.stream.index()] + on.position);
            }
        }
        node.dependences =
            static_cast<std::uint32_t>(made_.dependences.size()) - node.first_dependence;
        made_.nodes.push_back(node);
    }

    [[nodiscard]] TraceNode node_of(std::uint32_t stream, const workload::Task& task) const
    {
        TraceNode node;
        node.lane = stream;
        if (task.kind == workload::TaskKind::kernel) {
            const auto& kernel = program_.kernels[task.payload];
            node.label = kernel.label;
            node.host = kernel.of_host;
            node.copies = kernel.exposes_communication && !kernel.of_host;
            node.seconds = seconds_of(kernel, gpu_);
            node.flops = kernel.operation.flops.base();
            node.bytes = kernel.operation.bytes;
            return node;
        }
        if (task.kind == workload::TaskKind::copy) {
            sim::refuse("workload",
                        fmt::format("copies between tiers (\"{}\"), for which a recorded job has "
                                    "no node",
                                    graph_.labels[program_.copies[task.payload].label]),
                        "export a workload that neither loads samples nor offloads");
        }
        const auto& collective = program_.collectives[task.payload];
        const auto group = graph_.slots[rank_ * graph_.slots_per_rank + collective.slot];
        node.label = collective.label;
        node.size = collective.size.base();
        node.kind = TraceKind::collective;
        node.collective = collective.kind;
        node.group = group;
        node.seconds = collective.recorded_seconds.value_or(0);
        if (collective.kind == workload::CollectiveKind::send_recv) {
            const auto& pair = graph_.communicators[group].members;
            const bool sends = pair[0].index() == rank_;
            node.kind = sends ? TraceKind::send : TraceKind::receive;
            node.peer = static_cast<std::uint32_t>(pair[sends ? 1 : 0].index());
            node.tag = group;
            node.group = 0;
        }
        return node;
    }

    const workload::TaskGraph& graph_;
    const spec::GpuSpec& gpu_;
    std::uint32_t rank_;
    const workload::Program& program_;
    std::vector<std::uint32_t> first_;  ///< by stream: its first node
    formats::TraceRank made_;
};

}  // namespace

formats::Trace exported_trace(const spec::ExperimentSpec& experiment)
{
    if (experiment.trace) {
        return recorded_job(experiment);
    }
    return exported_trace(
        workload::training_step(experiment.workload),
        spec::as_used_by(experiment.workload.framework, experiment.cluster.node.gpu));
}

formats::Trace exported_trace(const workload::TaskGraph& graph, const spec::GpuSpec& gpu)
{
    formats::Trace trace;
    trace.format = "task graph";
    trace.labels = graph.labels;
    for (std::size_t i = 0; i < graph.communicators.size(); ++i) {
        auto& group = trace.groups.emplace_back();
        group.name = std::to_string(i);
        for (const auto member : graph.communicators[i].members) {
            group.ranks.push_back(static_cast<std::uint32_t>(member.index()));
        }
    }
    for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank) {
        trace.ranks.push_back(Writer{graph, gpu, rank}.write());
    }
    return trace;
}

}  // namespace sim::replay
