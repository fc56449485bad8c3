#include "sweep/fit.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"
#include "replay/tier_use.hpp"
#include "results/summary.hpp"

namespace sim::sweep
{
namespace
{

/// An experiment with something changed, and the keys that change it.
struct Change {
    std::string keys;
    spec::ExperimentSpec experiment;

    [[nodiscard]] spec::WorkloadSpec& workload() { return experiment.workload; }
    [[nodiscard]] spec::PlanSpec& plan() { return experiment.workload.plan; }
};

Bytes worst(const std::vector<workload::Footprint>& stages)
{
    return stages[results::fullest_stage(stages)].total();
}

/// What the change needs; nothing when it is not a valid experiment.
std::optional<Bytes> need(const Change& change)
{
    const auto& experiment = change.experiment;
    const auto ranks = static_cast<int>(spec::gpu_count(experiment.cluster));
    if (has_errors(spec::validate(experiment.workload, ranks, "workload"))) {
        return std::nullopt;
    }
    if (!replay::tier_shortages(experiment).empty()) {
        return std::nullopt;
    }
    return worst(workload::footprint(experiment.workload));
}

std::optional<Change> sharded(Change change, int stage)
{
    auto& plan = change.plan();
    const bool whole_group = plan.zero_group.value_or(plan.data) == plan.data;
    if (plan.data == 1 || plan.zero > stage || (plan.zero == stage && whole_group)) {
        return std::nullopt;
    }
    change.keys += plan.zero == stage ? fmt::format(", workload.parallel.zero_group: {}", plan.data)
                                      : fmt::format(", workload.parallel.zero: {}", stage);
    plan.zero = stage;
    plan.zero_group.reset();
    return change;
}

std::optional<Change> recomputed(Change change, spec::Recompute to)
{
    if (change.workload().recompute >= to) {
        return std::nullopt;
    }
    change.keys +=
        fmt::format(", workload.recompute: {}", to == spec::Recompute::full ? "full" : "selective");
    change.workload().recompute = to;
    return change;
}

/// Where there is host memory to send activations to.
std::optional<Change> offloaded(Change change)
{
    auto& workload = change.workload();
    const int layers = workload.model.layers;
    auto offload = workload.offload.value_or(spec::OffloadSpec{});
    if (!change.experiment.cluster.node.host.dram || offload.activations.away() > 0) {
        return std::nullopt;
    }
    if (!workload.offload) {
        offload.buffers = {.count = 1, .size = Bytes::of(std::int64_t{256} << 20)};
    }
    offload.activations = {spec::DataTier::dram, 1, layers};
    workload.offload = offload;
    change.keys += fmt::format(", workload.activation_offload: {}", layers);
    return change;
}

std::optional<Change> smaller_batch(Change change, std::int64_t sequences)
{
    if (sequences < 1 || change.workload().micro_batch <= sequences) {
        return std::nullopt;
    }
    change.keys += fmt::format(", workload.micro_batch: {}", sequences);
    change.workload().micro_batch = sequences;
    return change;
}

std::optional<Change> wider(Change change, int times)
{
    auto& plan = change.plan();
    if (plan.data % times != 0 || plan.tensor * times > change.experiment.cluster.node.gpus) {
        return std::nullopt;
    }
    plan.tensor *= times;
    plan.data /= times;
    plan.zero_group.reset();
    change.keys += fmt::format(", workload.parallel.tensor: {}", plan.tensor);
    return change;
}

std::optional<Change> deeper(Change change, int times)
{
    auto& plan = change.plan();
    const int stages = plan.pipeline * times;
    const int layers = change.workload().model.layers;
    if (plan.data % times != 0 || layers % stages != 0) {
        return std::nullopt;
    }
    plan.pipeline = stages;
    plan.data /= times;
    plan.zero_group.reset();
    plan.layers_per_stage.assign(static_cast<std::size_t>(stages), layers / stages);
    change.keys += fmt::format(", workload.parallel.pipeline: {}", stages);
    return change;
}

/// The replicas grow with the cluster and share what is sharded; the step's sequences stay.
std::optional<Change> larger(Change change, int times)
{
    constexpr std::int64_t most_nodes = 100'000;
    auto& cluster = change.experiment.cluster;
    const auto nodes = std::int64_t{cluster.nodes} * times;
    if (nodes > most_nodes || change.plan().zero == 0) {
        return std::nullopt;
    }
    cluster.nodes = static_cast<int>(nodes);
    if (has_errors(spec::validate(cluster, "cluster"))) {
        return std::nullopt;
    }
    change.plan().data *= times;
    change.plan().zero_group.reset();
    change.keys += fmt::format(", cluster.nodes: {}", nodes);
    return change;
}

constexpr int kTimes[] = {2, 4, 8, 16, 32, 64};

using Changes = std::vector<std::optional<Change>>;

/// Each a list of which the first that fits is the mildest.
std::vector<Changes> single_changes(const Change& as_is)
{
    const auto batch = as_is.experiment.workload.micro_batch;
    std::vector<Changes> kinds{
        {sharded(as_is, 1), sharded(as_is, 2), sharded(as_is, 3)},
        {recomputed(as_is, spec::Recompute::selective), recomputed(as_is, spec::Recompute::full)},
        {},
        {},
        {},
        {},
        {offloaded(as_is)}};
    for (auto half = batch / 2; half >= 1; half /= 2) {
        kinds[2].push_back(smaller_batch(as_is, half));
    }
    for (const int times : kTimes) {
        kinds[3].push_back(wider(as_is, times));
        kinds[4].push_back(deeper(as_is, times));
        kinds[5].push_back(larger(as_is, times));
    }
    return kinds;
}

/// Everything that leaves the degrees of parallelism alone, at once.
Change all_together(const Change& as_is)
{
    Change change = as_is;
    change = sharded(change, 1).value_or(change);
    change = recomputed(change, spec::Recompute::full).value_or(change);
    return smaller_batch(change, 1).value_or(change);
}

std::optional<Remedy> remedy(const Change& change, Bytes memory)
{
    const auto needed = change.keys.empty() ? std::nullopt : need(change);
    if (!needed || *needed > memory) {
        return std::nullopt;
    }
    return Remedy{change.keys.substr(2), *needed, change.experiment};
}

}  // namespace

bool Fit::gpus_suffice() const { return stages.empty() || worst(stages) <= gpu_memory; }

bool Fit::fits() const { return gpus_suffice() && tiers.empty(); }

Fit fit(const spec::ExperimentSpec& experiment)
{
    if (experiment.trace) {
        return {{}, experiment.cluster.node.gpu.memory, {}};
    }
    return {workload::footprint(experiment.workload), experiment.cluster.node.gpu.memory,
            replay::tier_shortages(experiment)};
}

std::string shortage(const Fit& fit)
{
    if (fit.gpus_suffice()) {
        return memory::to_words(fit.tiers.front());
    }
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

std::vector<Remedy> remedies_of(const spec::ExperimentSpec& experiment)
{
    const auto memory = experiment.cluster.node.gpu.memory;
    const Change as_is{"", experiment};
    std::vector<Remedy> found;
    for (const auto& kind : single_changes(as_is)) {
        for (const auto& change : kind) {
            auto mildest = change ? remedy(*change, memory) : std::nullopt;
            if (mildest) {
                found.push_back(std::move(*mildest));
                break;
            }
        }
    }
    if (found.empty()) {
        if (auto together = remedy(all_together(as_is), memory)) {
            found.push_back(std::move(*together));
        }
    }
    return found;
}

std::vector<std::string> remedies(const spec::ExperimentSpec& experiment)
{
    std::vector<std::string> found;
    for (const auto& remedy : remedies_of(experiment)) {
        found.push_back(fmt::format("{} ({})", remedy.keys, to_text(remedy.needed)));
    }
    return found;
}

}  // namespace sim::sweep
