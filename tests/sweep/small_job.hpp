#pragma once

#include "spec/experiment.hpp"

namespace sim::sweep
{

/// A small valid model on 8 GPUs of `memory`; data parallel, nothing sharded.
inline spec::ExperimentSpec small_job(Bytes memory)
{
    spec::ExperimentSpec e;
    e.cluster.nodes = 1;
    e.cluster.node.gpus = 8;
    e.cluster.node.gpu.memory = memory;
    auto& w = e.workload;
    w.model = {.name = "small",
               .hidden = 1024,
               .layers = 8,
               .heads = 8,
               .kv_heads = 8,
               .head_dim = 128,
               .ffn = 4096,
               .vocab = 32000,
               .gated_mlp = true,
               .tied_embeddings = false,
               .mlp_bias = false};
    w.sequence = 2048;
    w.global_batch = 16;
    w.micro_batch = 2;
    w.plan.data = 8;
    w.plan.layers_per_stage = {8};
    w.framework.optimizer_bytes_per_parameter = 32;
    w.framework.optimizer_state_bytes = 12;
    w.framework.gradient_bucket = Bytes::of(1'000'000'000);
    e.seed = 7;
    return e;
}

}  // namespace sim::sweep
