#include "sweep/fit.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"
#include "results/summary.hpp"

namespace sim::sweep
{
namespace
{

/// A workload with something changed, and the keys that change it.
struct Change {
    std::string keys;
    spec::WorkloadSpec workload;
};

int ranks(const spec::ClusterSpec& cluster) { return static_cast<int>(spec::gpu_count(cluster)); }

Bytes worst(const std::vector<workload::Footprint>& stages)
{
    return stages[results::fullest_stage(stages)].total();
}

/// What the change needs; nothing when it is not a valid workload.
std::optional<Bytes> need(const spec::ExperimentSpec& experiment, const Change& change)
{
    const auto wrong = spec::validate(change.workload, ranks(experiment.cluster), "workload");
    if (has_errors(wrong)) {
        return std::nullopt;
    }
    return worst(workload::footprint(change.workload));
}

std::optional<Change> sharded(Change change)
{
    auto& plan = change.workload.plan;
    const bool already = plan.zero > 0 && plan.zero_group.value_or(plan.data) == plan.data;
    if (already || plan.data == 1) {
        return std::nullopt;
    }
    change.keys += plan.zero > 0 ? fmt::format(", workload.parallel.zero_group: {}", plan.data)
                                 : ", workload.parallel.zero: 1";
    plan.zero = 1;
    plan.zero_group.reset();
    return change;
}

std::optional<Change> recomputed(Change change, spec::Recompute to)
{
    if (change.workload.recompute >= to) {
        return std::nullopt;
    }
    change.keys +=
        fmt::format(", workload.recompute: {}", to == spec::Recompute::full ? "full" : "selective");
    change.workload.recompute = to;
    return change;
}

std::optional<Change> smaller_batch(Change change)
{
    if (change.workload.micro_batch <= 1) {
        return std::nullopt;
    }
    change.keys += ", workload.micro_batch: 1";
    change.workload.micro_batch = 1;
    return change;
}

std::optional<Change> wider(Change change, int node_gpus)
{
    auto& plan = change.workload.plan;
    if (plan.data % 2 != 0 || plan.tensor * 2 > node_gpus) {
        return std::nullopt;
    }
    plan.tensor *= 2;
    plan.data /= 2;
    plan.zero_group.reset();
    change.keys += fmt::format(", workload.parallel.tensor: {}", plan.tensor);
    return change;
}

std::optional<Change> deeper(Change change)
{
    auto& plan = change.workload.plan;
    const int stages = plan.pipeline * 2;
    if (plan.data % 2 != 0 || change.workload.model.layers % stages != 0) {
        return std::nullopt;
    }
    plan.pipeline = stages;
    plan.data /= 2;
    plan.zero_group.reset();
    plan.layers_per_stage.assign(static_cast<std::size_t>(stages),
                                 change.workload.model.layers / stages);
    change.keys += fmt::format(", workload.parallel.pipeline: {}", stages);
    return change;
}

std::vector<std::optional<Change>> single_changes(const spec::ExperimentSpec& experiment)
{
    const Change as_is{"", experiment.workload};
    return {sharded(as_is),
            recomputed(as_is, spec::Recompute::selective),
            recomputed(as_is, spec::Recompute::full),
            smaller_batch(as_is),
            wider(as_is, experiment.cluster.node.gpus),
            deeper(as_is)};
}

/// Everything that leaves the degrees of parallelism alone, at once.
Change all_together(const spec::ExperimentSpec& experiment)
{
    Change change{"", experiment.workload};
    change = sharded(change).value_or(change);
    change = recomputed(change, spec::Recompute::full).value_or(change);
    return smaller_batch(change).value_or(change);
}

}  // namespace

bool Fit::fits() const { return worst(stages) <= gpu_memory; }

Fit fit(const spec::ExperimentSpec& experiment)
{
    return {workload::footprint(experiment.workload), experiment.cluster.node.gpu.memory};
}

std::string shortage(const Fit& fit)
{
    const auto stage = results::fullest_stage(fit.stages);
    const auto& f = fit.stages[stage];
    const auto where = fit.stages.size() == 1 ? "a GPU" : fmt::format("a GPU of stage {}", stage);
    return fmt::format(
        "{} needs {} and has {}, {} too little: weights {}, gradients {}, optimizer {}, "
        "activations {}, temporary {}, reserved {}",
        where, to_text(f.total()), to_text(fit.gpu_memory), to_text(f.total() - fit.gpu_memory),
        to_text(f.weights), to_text(f.gradients), to_text(f.optimizer), to_text(f.activations),
        to_text(f.temporary), to_text(f.reserved));
}

std::vector<std::string> remedies(const spec::ExperimentSpec& experiment)
{
    const auto memory = experiment.cluster.node.gpu.memory;
    auto changes = single_changes(experiment);
    std::vector<std::string> found;
    const auto try_change = [&](const Change& change) {
        const auto needed = change.keys.empty() ? std::nullopt : need(experiment, change);
        if (needed && *needed <= memory) {
            found.push_back(fmt::format("{} ({})", change.keys.substr(2), to_text(*needed)));
        }
    };
    for (const auto& change : changes) {
        if (change) {
            try_change(*change);
        }
    }
    if (found.empty()) {
        try_change(all_together(experiment));
    }
    return found;
}

}  // namespace sim::sweep
