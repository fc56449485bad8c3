#include "workload/training_step.hpp"

#include "workload/communicators.hpp"
#include "workload/input.hpp"
#include "workload/model_flops.hpp"
#include "workload/parameters.hpp"
#include "workload/shard.hpp"
#include "workload/sharded_program.hpp"
#include "workload/stage_program.hpp"

namespace sim::workload
{

TaskGraph training_step(const spec::WorkloadSpec& workload)
{
    TaskGraph graph;
    add_communicators(graph, workload);
    const auto ranks_per_stage =
        static_cast<std::size_t>(workload.plan.tensor) * spec::replicas(workload.plan);
    for (const auto& stage : stages(workload)) {
        const auto program_of = workload.plan.zero >= 2 ? sharded_program : stage_program;
        graph.programs.push_back(program_of(workload, stage, graph.labels));
        if (workload.input && stage.first()) {
            add_input(graph.programs.back(), workload, graph.labels);
        }
        const ProgramId program{graph.programs.size() - 1};
        graph.program_of_rank.insert(graph.program_of_rank.end(), ranks_per_stage, program);
    }
    graph.tokens = workload.global_batch * workload.sequence;
    graph.model_flops = model_flops(workload, graph.tokens);
    return graph;
}

}  // namespace sim::workload
