#include "spec/pipeline_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <string>
#include <vector>

namespace sim::spec
{

namespace
{

bool divides(std::int64_t divisor, std::int64_t number) { return number % divisor == 0; }

/// The layers over the stages as evenly as they go, the rest on the first ones: the last stage has
/// the output layer to carry as well.
std::string stage_list(int layers, int pipeline)
{
    std::vector<int> stages(static_cast<std::size_t>(pipeline), layers / pipeline);
    for (int stage = 0; stage < layers % pipeline; ++stage) {
        ++stages[static_cast<std::size_t>(stage)];
    }
    return fmt::format("layers_per_stage: [{}]", fmt::join(stages, ", "));
}

std::string possible_pipelines(int layers)
{
    std::vector<int> pipelines;
    for (int pipeline = 1; pipeline <= layers; ++pipeline) {
        if (divides(pipeline, layers)) {
            pipelines.push_back(pipeline);
        }
    }
    return fmt::format("{}", fmt::join(pipelines, ", "));
}

void check_layers_per_stage(Checker& check, const PlanSpec& plan, int layers)
{
    const std::string name = "parallel.layers_per_stage";
    const auto& stages = plan.layers_per_stage;
    const auto hint = fmt::format("write {}", stage_list(layers, plan.pipeline));
    if (stages.size() != static_cast<std::size_t>(plan.pipeline) && !lists_chunks(plan)) {
        check.error(
            name, fmt::format("lists {} stages, but pipeline is {}", stages.size(), plan.pipeline),
            hint);
    }
    for (const int held : stages) {
        if (held < (lists_chunks(plan) ? 0 : 1)) {
            check.error(name, fmt::format("gives a stage {} layers", held), hint);
        }
    }
    const auto sum = std::accumulate(stages.begin(), stages.end(), std::int64_t{0});
    if (sum != layers) {
        check.error(name,
                    fmt::format("{} = {} layers, but the model has {}", fmt::join(stages, " + "),
                                sum, layers),
                    hint);
    }
}

/// Chunks that the stages' layers divide into; else stages that leave them whole.
std::string possible_chunks(int layers, const PlanSpec& plan)
{
    const int places = layers + embedding_places(plan) + head_places(plan);
    std::vector<int> chunks;
    for (int count = 1; count * plan.pipeline <= places; ++count) {
        if (divides(std::int64_t{count} * plan.pipeline, places)) {
            chunks.push_back(count);
        }
    }
    if (chunks.empty()) {
        return fmt::format("{} stages do not divide them either: write pipeline: one of {}",
                           plan.pipeline, possible_pipelines(places));
    }
    return fmt::format("write one of {}", fmt::join(chunks, ", "));
}

/// The ends of the model count as layers.
void check_ends(Checker& check, const PlanSpec& plan, int places)
{
    if (!divides(plan.pipeline, places)) {
        check.error(
            "parallel.pipeline",
            fmt::format("{} does not divide the {} places of the layers and of the ends "
                        "that count as one",
                        plan.pipeline, places),
            fmt::format("write one of {}, or ends_as_layers: false", possible_pipelines(places)));
    }
}

}  // namespace

void check_pipeline(Checker& check, const PlanSpec& plan, int layers)
{
    const std::string name = "parallel.pipeline";
    const int ends = embedding_places(plan) + head_places(plan);
    if (plan.pipeline > layers) {
        check.error(name,
                    fmt::format("{} stages are more than the {} layers", plan.pipeline, layers),
                    fmt::format("write one of {}", possible_pipelines(layers)));
    } else if (!plan.layers_per_stage.empty()) {
        check_layers_per_stage(check, plan, layers);
    } else if (ends > 0) {
        check_ends(check, plan, layers + ends);
    } else if (!divides(plan.pipeline, layers)) {
        check.error(name, fmt::format("{} does not divide the {} layers", plan.pipeline, layers),
                    fmt::format("write one of {}, or {}", possible_pipelines(layers),
                                stage_list(layers, plan.pipeline)));
    }
}

/// Interleaving takes the micro-batches in rounds of as many as there are stages.
void check_chunks(Checker& check, const WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    if (plan.chunks == 1) {
        return;
    }
    const std::string name = "parallel.virtual_pipeline";
    const auto layers = workload.model.layers;
    if (plan.pipeline == 1) {
        check.error(name, "needs stages to interleave, but pipeline is 1", "write 1");
    } else if (plan.schedule != Schedule::one_forward_one_backward) {
        check.error(name, "is of the schedule 1f1b alone", "write schedule: 1f1b");
    } else if (plan.layers_per_stage.empty() &&
               (layers + embedding_places(plan) + head_places(plan)) %
                       (plan.pipeline * plan.chunks) !=
                   0) {
        check.error(name,
                    fmt::format("{} stages of {} chunks do not divide the {} layers", plan.pipeline,
                                plan.chunks, layers),
                    possible_chunks(layers, plan));
    }
    for (const int held : plan.layers_per_stage) {
        if (!lists_chunks(plan) && held % plan.chunks != 0) {
            check.error(
                name,
                fmt::format("{} chunks do not divide the {} layers of a stage", plan.chunks, held),
                "write a divisor of the layers of every stage");
            break;
        }
    }
}

}  // namespace sim::spec
