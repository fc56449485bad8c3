#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/workload.hpp"

namespace sim::workload
{

/// What one rank of a tensor group holds of a layer, and the tokens of one micro-batch it sees.
struct Shard {
    std::int64_t tokens = 0;  ///< of a micro-batch
    std::int64_t local_tokens =
        0;  ///< what norms and residuals see: a share with sequence parallelism
    std::int64_t sequence = 0;
    std::int64_t sequences = 0;  ///< of a micro-batch
    std::int64_t hidden = 0;
    std::int64_t heads = 0;     ///< query heads
    std::int64_t kv_heads = 0;  ///< at least one: replicated when there are fewer than ranks
    std::int64_t head_dim = 0;
    std::int64_t ffn = 0;
    bool gated_mlp = true;
    bool qkv_bias = false;
    bool projection_bias = false;
    bool mlp_bias = false;
    std::int64_t norm = 0;       ///< parameters of one
    std::int64_t norms = 2;      ///< of a layer
    std::int64_t positions = 0;  ///< learned ones
    bool head_bias = false;
    bool qk_norm = false;
    std::int64_t vocab = 0;  ///< rows of the embedding, rounded up
    int tensor = 1;
    int context = 1;
    std::int64_t adapter_rank = 0;
    bool sequence_parallel = false;
    std::optional<spec::AttentionLibrary> attention{};  ///< absent: the newest the GPU lists
    bool fused_accumulation = true;
    spec::TensorOverlap tensor_overlap = spec::TensorOverlap::weight_gradient;
    spec::Precision precision = spec::Precision::bf16;  ///< of the GEMMs
    std::int64_t element = 2;   ///< bytes of a weight or activation in memory
    std::int64_t gradient = 2;  ///< bytes of an accumulated weight gradient

    [[nodiscard]] std::int64_t query() const { return heads * head_dim; }
    [[nodiscard]] std::int64_t qkv() const { return (heads + 2 * kv_heads) * head_dim; }
    [[nodiscard]] std::int64_t up() const { return gated_mlp ? 2 * ffn : ffn; }
};

[[nodiscard]] Shard shard(const spec::WorkloadSpec& workload);

/// Parameters of one layer on one rank: matrices cut, norms and output biases whole.
[[nodiscard]] std::int64_t layer_parameters(const Shard& shard);

/// A pipeline stage and what it holds besides its layers.
struct Stage {
    int index = 0;
    int stages = 1;
    int layers = 0;
    bool tied = false;
    bool frozen = false;  ///< its adapters alone learn

    [[nodiscard]] bool first() const { return index == 0; }
    [[nodiscard]] bool last() const { return index + 1 == stages; }
    /// Tied embeddings live on both ends of a pipeline; alone on a rank they are one matrix.
    [[nodiscard]] bool shares_embedding() const
    {
        return tied && !frozen && stages > 1 && (first() || last());
    }
    [[nodiscard]] bool owns_head() const { return last() && (!tied || stages > 1); }
};

/// The stages of the plan; layers are spread evenly when it does not say.
[[nodiscard]] std::vector<Stage> stages(const spec::WorkloadSpec& workload);

/// All parameters on one rank of a stage.
[[nodiscard]] std::int64_t stage_parameters(const Stage& stage, const Shard& shard);

/// Those of a layer's adapters on one rank, and all that learn on one rank of a stage.
[[nodiscard]] std::int64_t adapter_parameters(const Shard& shard);
[[nodiscard]] std::int64_t trained_parameters(const Stage& stage, const Shard& shard);

/// Ranks that share the optimiser state of a parameter; 1 without ZeRO.
[[nodiscard]] int optimizer_group(const spec::PlanSpec& plan);

/// Parameters whose optimiser state a rank keeps, rounded up.
[[nodiscard]] std::int64_t owned_parameters(std::int64_t parameters, const spec::PlanSpec& plan);

}  // namespace sim::workload
