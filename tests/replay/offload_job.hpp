#pragma once

#include <stdexcept>
#include <string>

#include "core/literals.hpp"
#include "replay/copy_cluster.hpp"
#include "replay/run.hpp"
#include "workload/shard.hpp"

namespace sim::replay::test
{

/// A GPU that is never bound by its memory, so that what copies take of it costs nothing.
inline spec::ExperimentSpec experiment(int gpus = 1)
{
    using namespace sim::literals;
    spec::ExperimentSpec experiment;
    experiment.cluster = tiered_cluster(1, gpus, 1, 1);
    auto& node = experiment.cluster.node;
    node.gpu.memory_bandwidth = 1e6_TBps;
    node.host.cpu = spec::HostCpuSpec{.cores = 32, .core_bandwidth = 8_GBps};
    auto& workload = experiment.workload;
    auto& model = workload.model;
    model.name = "small";
    model.hidden = 1024;
    model.layers = 8;
    model.heads = 8;
    model.kv_heads = 8;
    model.head_dim = 128;
    model.ffn = 4096;
    model.vocab = 4096;
    workload.sequence = 1024;
    workload.global_batch = 4 * gpus;
    workload.micro_batch = 4;
    workload.recompute = spec::Recompute::full;
    workload.plan.data = gpus;
    workload.plan.zero = 3;
    workload.plan.layers_per_stage = {8};
    workload.gradient_precision = spec::Precision::bf16;
    workload.framework.gradient_bucket = 4_MB;
    workload.framework.optimizer_bytes_per_parameter = 34;
    workload.framework.optimizer_state_bytes = 12;
    return experiment;
}

inline Result simulate(const spec::ExperimentSpec& experiment)
{
    return run(experiment, {engine::Kind::native, Fold::off, true});
}

inline double seconds(const Result& result, Entry entry)
{
    return result.classes.front().ledger[static_cast<std::size_t>(entry)].base();
}

inline double parameters(const spec::ExperimentSpec& experiment)
{
    const auto part = workload::shard(experiment.workload);
    return static_cast<double>(
        workload::stage_parameters(workload::stages(experiment.workload).front(), part));
}

inline const TierUse& use_of(const Result& result, const std::string& name)
{
    for (const auto& use : result.tiers) {
        if (use.name == name) {
            return use;
        }
    }
    throw std::out_of_range{name};
}

}  // namespace sim::replay::test
