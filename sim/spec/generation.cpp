#include "spec/generation.hpp"

#include <fmt/format.h>

namespace sim::spec
{

namespace
{

/// Ranks work on whole sequences, or on parts of every matrix.
void check_plan(Checker& check, const PlanSpec& plan)
{
    const auto one = [&](const char* name, int value) {
        if (value != 1) {
            check.error(name,
                        fmt::format("is {}, but a step with a prompt is not divided so", value),
                        "write 1, or leave prompt out");
        }
    };
    one("parallel.pipeline", plan.pipeline);
    one("parallel.virtual_pipeline", plan.chunks);
    one("parallel.context", plan.context);
    if (plan.zero != 0) {
        check.error("parallel.zero",
                    fmt::format("is {}, but a step with a prompt has no state to "
                                "share and keeps its weights whole",
                                plan.zero),
                    "write 0, or leave prompt out");
    }
}

void check_policy(Checker& check, const OffloadSpec& offload)
{
    const auto empty = [&](const char* name, const Residence& residence) {
        if (residence.away() > 0) {
            check.error(name, "holds nothing in a step with a prompt: nothing learns",
                        "leave it out, or leave prompt out");
        }
    };
    empty("offload.gradients", offload.gradients);
    empty("offload.optimizer", offload.optimizer);
    empty("offload.activations", offload.activations);
}

}  // namespace

void check_generation(Checker& check, const WorkloadSpec& workload)
{
    if (!workload.prompt) {
        if (workload.offload && workload.offload->cache.away() > 0) {
            check.error("offload.cache", "is of tokens that are generated, and none are",
                        "write workload.prompt, or leave it out");
        }
        return;
    }
    if (*workload.prompt < 1 || *workload.prompt >= workload.sequence) {
        check.error("prompt",
                    fmt::format("is {} of {} tokens", *workload.prompt, workload.sequence),
                    "write at least 1 and fewer than sequence: the rest is generated");
    }
    check_plan(check, workload.plan);
    if (workload.offload) {
        check_policy(check, *workload.offload);
    }
    if (workload.checkpoint) {
        check.error("checkpoint", "saves what learns, and nothing does in a step with a prompt",
                    "leave it out, or leave prompt out");
    }
}

}  // namespace sim::spec
