#include "spec/experiment.hpp"

#include <fmt/format.h>

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

/// The tiers that samples come from and through.
void check_input_tiers(Checker& check, const ExperimentSpec& experiment)
{
    const auto& host = experiment.cluster.node.host;
    const auto& input = experiment.workload.input;
    if (!input) {
        return;
    }
    const auto need = [&](bool there, DataTier tier) {
        if (!there) {
            check.error(fmt::format("cluster.host.{}", tier_name(tier)),
                        "missing: workload.input uses it", "describe it (sim/replay/copies.md)");
        }
    };
    const bool buffers = input->through_dram || input->from == DataTier::dram;
    need(!buffers || host.dram, DataTier::dram);
    need(input->from != DataTier::storage || host.storage, DataTier::storage);
    need(input->from != DataTier::pool || host.pool, DataTier::pool);
}

void check_offload_tiers(Checker& check, const ExperimentSpec& experiment)
{
    if (experiment.workload.offloaded_layers > 0 && !experiment.cluster.node.host.dram) {
        check.error("cluster.host.dram", "missing: workload.activation_offload uses it",
                    "describe it (sim/replay/copies.md)");
    }
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
        check_input_tiers(check, experiment);
        check_offload_tiers(check, experiment);
    }
    check.at_least("steps", experiment.steps, 1);
    return diagnostics;
}

}  // namespace sim::spec
