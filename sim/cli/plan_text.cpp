#include "cli/plan_text.hpp"

#include <fmt/format.h>

#include "cli/table.hpp"
#include "core/quantity_text.hpp"
#include "workload/parameters.hpp"
#include "workload/shard.hpp"
#include "workload/zero_memory.hpp"

namespace sim::cli
{
namespace
{

/// "0-9 40-49", a range a chunk.
std::string ranges(const std::vector<workload::Stage>& stages, std::size_t stage)
{
    std::string text;
    std::size_t next = 0;
    for (std::size_t chunk = 0; chunk < stages.front().chunks.size(); ++chunk) {
        for (std::size_t index = 0; index < stages.size(); ++index) {
            const auto held = stages[index].chunks[chunk].size();
            if (index == stage && held > 0) {
                text += fmt::format(" {}-{}", next, next + held - 1);
            }
            next += held;
        }
    }
    return text;
}

const char* word(bool offloaded) { return offloaded ? "host" : "GPU"; }

}  // namespace

std::string plan_text(const spec::WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    const auto ranks = std::int64_t{plan.tensor} * plan.context * plan.data * plan.pipeline;
    auto text = fmt::format("{} ranks = tensor {} x context {} x data {} x pipeline {}\n", ranks,
                            plan.tensor, plan.context, plan.data, plan.pipeline);
    if (workload.model.experts) {
        text += fmt::format("experts = expert_tensor {} x expert {} x {} replicas x pipeline {}\n",
                            plan.expert_tensor, plan.expert, workload::expert_replicas(plan),
                            plan.pipeline);
    }
    const auto stages = workload::stages(workload);
    for (std::size_t stage = 0; stages.size() > 1 && stage < stages.size(); ++stage) {
        text += fmt::format("stage {}: layers{}\n", stage, ranges(stages, stage));
    }
    return text;
}

std::string zero_table(const spec::ExperimentSpec& experiment)
{
    const auto& model = experiment.workload.model;
    const workload::ZeroSetting setting{workload::total_parameters(model),
                                        workload::largest_module(model),
                                        experiment.cluster.node.gpus, experiment.cluster.nodes};
    Table table;
    table.column("ZeRO");
    for (const auto* header : {"parameters", "optimizer", "built"}) {
        table.column(header, Table::Align::left);
    }
    table.column("a GPU");
    table.column("a node's host");
    for (const auto& row : workload::zero_estimates(setting)) {
        table.row({std::to_string(row.stage), word(row.offloads_parameters),
                   word(row.offloads_optimizer),
                   row.stage == 3 && row.builds_sharded ? "sharded" : "whole", to_text(row.gpu),
                   to_text(row.host)});
    }
    return table.text();
}

}  // namespace sim::cli
