#include "workload/training_step.hpp"

#include "workload/checkpoint.hpp"
#include "workload/communicators.hpp"
#include "workload/generation.hpp"
#include "workload/input.hpp"
#include "workload/model_flops.hpp"
#include "workload/parameters.hpp"
#include "workload/shard.hpp"
#include "workload/sharded_program.hpp"
#include "workload/stage_program.hpp"

namespace sim::workload
{

namespace
{

/// The stage's ranks save: all of them their share, or the first tensor group everything.
void save(TaskGraph& graph, const spec::WorkloadSpec& workload, const Stage& stage)
{
    if (workload.checkpoint->sharded) {
        add_checkpoint(graph.programs.back(), workload, stage, graph.labels);
        return;
    }
    graph.programs.push_back(graph.programs.back());
    add_checkpoint(graph.programs.back(), workload, stage, graph.labels);
    const auto ranks_per_stage =
        static_cast<std::size_t>(workload.plan.tensor) * spec::replicas(workload.plan);
    const auto first = graph.program_of_rank.size() - ranks_per_stage;
    for (int rank = 0; rank < workload.plan.tensor; ++rank) {
        graph.program_of_rank[first + static_cast<std::size_t>(rank)] =
            ProgramId{graph.programs.size() - 1};
    }
}

}  // namespace

TaskGraph training_step(const spec::WorkloadSpec& workload)
{
    TaskGraph graph;
    add_communicators(graph, workload);
    const auto ranks_per_stage =
        static_cast<std::size_t>(workload.plan.tensor) * spec::replicas(workload.plan);
    for (const auto& stage : stages(workload)) {
        const auto program_of = workload.prompt           ? generation_program
                                : workload.plan.zero >= 2 ? sharded_program
                                                          : stage_program;
        graph.programs.push_back(program_of(workload, stage, graph.labels));
        graph.programs.back().stage = static_cast<std::uint32_t>(stage.index);
        if (workload.input && stage.first()) {
            add_input(graph.programs.back(), workload, graph.labels);
        }
        const ProgramId program{graph.programs.size() - 1};
        graph.program_of_rank.insert(graph.program_of_rank.end(), ranks_per_stage, program);
        if (workload.checkpoint) {
            save(graph, workload, stage);
        }
    }
    const auto all = workload.global_batch * workload.sequence;
    graph.tokens = all - workload.global_batch * workload.prompt.value_or(0);
    graph.model_flops = workload.prompt ? generation_flops(workload) : model_flops(workload, all);
    return graph;
}

}  // namespace sim::workload
