#pragma once

#include "spec/workload.hpp"
#include "workload/models.hpp"

namespace sim::workload::testing
{

/// Llama-3-70B on 128 GPUs: tensor 8 with sequence parallelism, data 16, optimiser sharded over it.
inline spec::WorkloadSpec llama3_70b_on_128()
{
    spec::WorkloadSpec workload;
    workload.model = llama3_70b();
    workload.sequence = 8192;
    workload.global_batch = 128;
    workload.micro_batch = 1;
    workload.gradient_precision = spec::Precision::bf16;
    workload.recompute = spec::Recompute::selective;
    workload.plan.tensor = 8;
    workload.plan.data = 16;
    workload.plan.zero = 1;
    workload.plan.sequence_parallel = true;
    workload.plan.layers_per_stage = {80};
    workload.framework.gradient_bucket = Bytes::of(200'000'000);
    workload.framework.optimizer_bytes_per_parameter = 34;
    workload.framework.optimizer_state_bytes = 12;
    workload.framework.reserved = Bytes::of(2'000'000'000);
    return workload;
}

/// Two small layers a stage, one sequence a micro-batch; no tensor or data parallelism.
inline spec::WorkloadSpec small_pipeline(int stages, int micro_batches)
{
    spec::WorkloadSpec workload;
    workload.model = llama("small", 256, 2 * stages, 2);
    workload.model.ffn = 512;
    workload.model.vocab = 1024;
    workload.sequence = 128;
    workload.global_batch = micro_batches;
    workload.micro_batch = 1;
    workload.plan.pipeline = stages;
    workload.plan.layers_per_stage.assign(static_cast<std::size_t>(stages), 2);
    workload.framework.gradient_bucket = Bytes::of(1'000'000);
    workload.framework.optimizer_bytes_per_parameter = 34;
    workload.framework.optimizer_state_bytes = 12;
    return workload;
}

}  // namespace sim::workload::testing
