#include "spec/experiment.hpp"

#include <fmt/format.h>

#include <array>

#include "spec/checker.hpp"

namespace sim::spec
{

namespace
{

void check_precision(Checker& check, const ExperimentSpec& experiment)
{
    const auto& peak = experiment.cluster.node.gpu.peak;
    const auto precision = experiment.workload.precision;
    if (peak.empty() || peak.count(precision) != 0) {
        return;
    }
    std::string known;
    for (const auto& [name, rate] : peak) {
        known += fmt::format("{}{}", known.empty() ? "" : ", ", precision_name(name));
    }
    check.error("workload.precision",
                fmt::format("\"{}\" has no peak rate in {}", experiment.cluster.node.gpu.name,
                            precision_name(precision)),
                fmt::format("write one of {}, or give cluster.gpu.peak.{}", known,
                            precision_name(precision)));
}

void check_attention(Checker& check, const ExperimentSpec& experiment)
{
    const auto& gpu = experiment.cluster.node.gpu;
    const auto library = experiment.workload.framework.attention;
    const bool listed = library ? gpu.attention.count(*library) != 0 : !gpu.attention.empty();
    if (library == AttentionLibrary::unfused || listed) {
        return;
    }
    std::string known;
    for (const auto& [name, attention] : gpu.attention) {
        known += fmt::format("{}, ", attention_library_name(name));
    }
    const auto name = library ? attention_library_name(*library) : "fused attention";
    check.error(
        "workload.framework.attention",
        fmt::format("\"{}\" does not say how fast {} runs on it", gpu.name, name),
        fmt::format("write one of {}unfused, or give cluster.gpu.attention.LIBRARY", known));
}

/// Complains once of each tier that something uses and the host does not have.
class Tiers
{
public:
    Tiers(Checker& check, const HostSpec& host) : check_{check}, host_{host} {}

    void need(bool used, DataTier tier, const char* by)
    {
        const bool there = tier == DataTier::hbm       ? true
                           : tier == DataTier::dram    ? host_.dram.has_value()
                           : tier == DataTier::storage ? host_.storage.has_value()
                           : tier == DataTier::files   ? host_.files.has_value()
                                                       : host_.pool.has_value();
        if (used && !there && !told_[static_cast<std::size_t>(tier)]) {
            told_[static_cast<std::size_t>(tier)] = true;
            check_.error(fmt::format("cluster.host.{}", tier_name(tier)),
                         fmt::format("missing: workload.{} uses it", by),
                         "describe it (sim/replay/copies.md)");
        }
    }

private:
    Checker& check_;
    const HostSpec& host_;
    std::array<bool, kDataTiers> told_{};
};

void check_tiers(Checker& check, const ExperimentSpec& experiment)
{
    const auto& workload = experiment.workload;
    Tiers tiers{check, experiment.cluster.node.host};
    if (const auto& input = workload.input) {
        tiers.need(input->through_dram, DataTier::dram, "input");
        tiers.need(true, input->from, "input");
    }
    if (const auto& offload = workload.offload) {
        tiers.need(offload->update_on_host || (offload->through_dram && !moves_nothing(*offload)),
                   DataTier::dram, "offload");
        for (std::size_t tier = 0; tier < kDataTiers; ++tier) {
            const auto one = static_cast<DataTier>(tier);
            tiers.need(uses(*offload, one), one, "offload");
        }
    }
    if (const auto& saved = workload.checkpoint) {
        tiers.need(saved->through_dram || saved->asynchronous, DataTier::dram, "checkpoint");
        tiers.need(true, saved->to, "checkpoint");
    }
}

/// A delayed update's period is seen when two updates before the measured step were awaited.
constexpr int kStepsOfDelay = 4;

void check_offload(Checker& check, const ExperimentSpec& experiment)
{
    const auto& offload = *experiment.workload.offload;
    const bool learns = !experiment.workload.prompt;
    if (learns && offload.weights.away() > 0 && experiment.workload.plan.zero < 3) {
        check.error("workload.offload.weights",
                    fmt::format("leave the GPUs, but parallel.zero is {}: whole layers stay there",
                                experiment.workload.plan.zero),
                    "write workload.parallel.zero: 3");
    }
    if (offload.update_on_host && offload.optimizer.away() > 0 &&
        !experiment.cluster.node.host.cpu) {
        check.error("cluster.host.cpu", "missing: the host updates what is offloaded",
                    "write cpu: { cores: 56, core_bandwidth: 8 GB/s }");
    }
    if (offload.delayed_update && experiment.steps < kStepsOfDelay) {
        check.error(
            "steps",
            fmt::format("is {}, too few to see the period of a delayed update", experiment.steps),
            fmt::format("write steps: {}", kStepsOfDelay));
    }
}

void check_residences(Checker& check, Diagnostics& diagnostics, const ExperimentSpec& experiment)
{
    const auto add = [&](const Diagnostics& more) {
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    };
    if (experiment.workload.offload) {
        add(validate(*experiment.workload.offload, "workload.offload"));
        check_offload(check, experiment);
    }
    if (experiment.workload.checkpoint) {
        add(validate(*experiment.workload.checkpoint, "workload.checkpoint"));
    }
    check_tiers(check, experiment);
}

}  // namespace

Diagnostics validate(const ExperimentSpec& experiment)
{
    const auto& cluster = experiment.cluster;
    Diagnostics diagnostics = validate(cluster, "cluster");
    Checker check{diagnostics, ""};
    if (experiment.trace) {
        const auto trace = validate(*experiment.trace, "trace");
        diagnostics.insert(diagnostics.end(), trace.begin(), trace.end());
    } else {
        const auto gpus = placed_gpus(cluster);
        const bool countable = cluster.nodes >= 1 && cluster.node.gpus >= 1 && gpus <= kMostRanks;
        const int ranks = countable ? static_cast<int>(gpus) : kRanksUnknown;
        const auto workload = validate(experiment.workload, ranks, "workload");
        diagnostics.insert(diagnostics.end(), workload.begin(), workload.end());
        check_precision(check, experiment);
        check_attention(check, experiment);
        check_residences(check, diagnostics, experiment);
    }
    check.at_least("steps", experiment.steps, 1);
    return diagnostics;
}

}  // namespace sim::spec
