#include "workload/training_step.hpp"

#include "workload/communicators.hpp"
#include "workload/parameters.hpp"
#include "workload/shard.hpp"
#include "workload/sharded_program.hpp"
#include "workload/stage_program.hpp"

namespace sim::workload
{

namespace
{

/// Six operations per parameter and token in matrices, the output projection included, and half of
/// the attention square; nothing that is computed twice.
Flops model_flops(const spec::WorkloadSpec& workload, std::int64_t tokens)
{
    const auto& model = workload.model;
    const auto query = std::int64_t{model.heads} * model.head_dim;
    const auto qkv = query + 2 * std::int64_t{model.kv_heads} * model.head_dim;
    const auto up = model.gated_mlp ? 2 * model.ffn : model.ffn;
    const auto layer = model.hidden * (qkv + query + up + model.ffn);
    const auto matrices = model.layers * layer + model.hidden * model.vocab;
    const auto attention = model.layers * workload.sequence * query;
    return Flops::of(6 * static_cast<double>(matrices + attention) * static_cast<double>(tokens));
}

}  // namespace

TaskGraph training_step(const spec::WorkloadSpec& workload)
{
    TaskGraph graph;
    add_communicators(graph, workload);
    const auto ranks_per_stage =
        static_cast<std::size_t>(workload.plan.tensor) * spec::replicas(workload.plan);
    for (const auto& stage : stages(workload)) {
        const auto program_of = workload.plan.zero >= 2 ? sharded_program : stage_program;
        graph.programs.push_back(program_of(workload, stage, graph.labels));
        const ProgramId program{graph.programs.size() - 1};
        graph.program_of_rank.insert(graph.program_of_rank.end(), ranks_per_stage, program);
    }
    graph.tokens = workload.global_batch * workload.sequence;
    graph.model_flops = model_flops(workload, graph.tokens);
    return graph;
}

}  // namespace sim::workload
