#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/workload.hpp"

namespace sim::workload
{

/// The experts of a layer on one rank. sim/workload/layers.md
struct ExpertShard {
    std::int64_t all = 0;     ///< that the router chooses from
    std::int64_t held = 0;    ///< by a rank
    std::int64_t sent = 0;    ///< tokens that a rank sends to experts, and gets from the others
    std::int64_t copies = 0;  ///< of these that cross, where some ranks share a copy
    std::int64_t tokens = 0;  ///< that the held experts work on
    std::int64_t ffn = 0;     ///< of one expert, the rank's share
    std::int64_t up = 0;
    std::int64_t shared_ffn = 0;  ///< of the experts for every token, the tensor rank's share
    std::int64_t shared_up = 0;
    int ranks = 1;         ///< that the experts are spread over
    int tensor = 1;        ///< ranks that cut each expert
    bool hidden = false;   ///< tokens travel under another micro-batch's work
    bool gathers = false;  ///< every rank gets every token, else those of its experts
    bool shared_gate = false;
    bool router_bias = false;
    bool bias = false;

    [[nodiscard]] std::int64_t each() const { return (tokens + held - 1) / held; }
};

/// The gated delta rule on one rank.
struct LinearShard {
    std::int64_t key_heads = 0;
    std::int64_t value_heads = 0;
    std::int64_t key_dim = 0;
    std::int64_t value_dim = 0;
    std::int64_t kernel = 0;

    [[nodiscard]] std::int64_t values() const { return value_heads * value_dim; }
    [[nodiscard]] std::int64_t convolved() const { return 2 * key_heads * key_dim + values(); }
    /// Queries, keys, values, the output's gate, and two numbers a head.
    [[nodiscard]] std::int64_t inputs() const { return convolved() + values() + 2 * value_heads; }
};

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
    bool attention_gate = false;
    bool attention_sinks = false;
    bool parallel = false;  ///< attention and MLP beside each other
    bool dropout = false;   ///< of the hidden state, after attention and MLP
    std::int64_t window = 0;
    bool window_in_chunks = false;
    bool has_latent = false;
    spec::LatentSpec latent{};
    LinearShard linear{};
    ExpertShard experts{};
    bool adapter_mlp = false;
    std::int64_t vocab = 0;  ///< rows of the embedding, rounded up
    int tensor = 1;
    int context = 1;
    spec::ContextExchange context_exchange = spec::ContextExchange::ring;
    bool overlap_shared_experts = false;
    std::int64_t adapter_rank = 0;
    bool frozen_matrices = false;  ///< these do not learn, whatever the others do
    double weight = 2;             ///< bytes of a parameter of the model as stored
    bool widens_weights = false;   ///< stored ones before every product that reads them
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
    [[nodiscard]] bool frozen() const { return adapter_rank > 0; }
    /// Of attention, of one token.
    [[nodiscard]] std::int64_t attention_outputs() const
    {
        return has_latent ? latent_value() : query();
    }
    /// Keys and values of one token.
    [[nodiscard]] std::int64_t key_values() const
    {
        return has_latent ? latent_query() + latent_value() : 2 * kv_heads * head_dim;
    }
    [[nodiscard]] std::int64_t attention_inputs() const
    {
        return qkv() + (attention_gate ? query() : 0);
    }

    [[nodiscard]] std::int64_t latent_query() const
    {
        return heads * (latent.plain_dim + latent.rotary_dim);
    }
    [[nodiscard]] std::int64_t latent_value() const { return heads * latent.value_dim; }
    [[nodiscard]] std::int64_t latent_key_value() const
    {
        return heads * (latent.plain_dim + latent.value_dim);
    }

    /// Columns of a head: the mean of keys' and values' when they differ.
    [[nodiscard]] std::int64_t attention_width() const;
    /// Queries, keys, values and outputs of one token.
    [[nodiscard]] std::int64_t attention_touches() const;
    /// Keys of a sequence whose causal half a query sees in the mean.
    [[nodiscard]] std::int64_t keys_seen(spec::Mixer mixer) const;
};

[[nodiscard]] Shard shard(const spec::WorkloadSpec& workload);

/// Parameters of one layer on one rank, without its experts: matrices cut, norms and output biases
/// whole.
[[nodiscard]] std::int64_t layer_parameters(const Shard& shard, spec::LayerKind kind = {});
/// The experts of a layer on one rank; their gradients are summed over fewer ranks.
[[nodiscard]] std::int64_t expert_parameters(const Shard& shard, spec::LayerKind kind);
/// What is trained in a layer, without experts: all of it, or its adapters.
[[nodiscard]] std::int64_t trained_parameters(const Shard& shard, spec::LayerKind kind);

/// A pipeline stage and what it holds besides its layers.
struct Stage {
    int index = 0;
    int stages = 1;
    int layers = 0;
    bool tied = false;
    bool frozen = false;    ///< its adapters alone learn
    int frozen_layers = 0;  ///< of the model, the first ones
    /// The layers of each of its chunks.
    std::vector<std::vector<spec::LayerKind>> chunks{};
    std::vector<int> first_layer{};  ///< of the model's, in each chunk

    [[nodiscard]] bool first() const { return index == 0; }
    [[nodiscard]] bool last() const { return index + 1 == stages; }
    /// Tied embeddings live on both ends of a pipeline; alone on a rank they are one matrix.
    [[nodiscard]] bool shares_embedding() const
    {
        return tied && !frozen && frozen_layers == 0 && stages > 1 && (first() || last());
    }
    [[nodiscard]] bool owns_head() const { return last() && (!tied || stages > 1); }
    [[nodiscard]] bool embedding_learns() const { return !frozen && frozen_layers == 0; }
    [[nodiscard]] bool head_learns() const { return !frozen && (!tied || frozen_layers == 0); }
    /// The first layers of a chunk that do not learn.
    [[nodiscard]] std::size_t frozen_in(std::size_t chunk) const;
    /// The chunk has something that learns, so it runs backward.
    [[nodiscard]] bool learns(std::size_t chunk) const;
    /// What comes before the chunk has, so it needs the gradient of the chunk's input.
    [[nodiscard]] bool passes_gradient(std::size_t chunk) const;
};

/// The stages of the plan; layers are spread evenly when it does not say.
[[nodiscard]] std::vector<Stage> stages(const spec::WorkloadSpec& workload);

/// Parameters on one rank of a stage.
struct StageParameters {
    std::int64_t shared = 0;   ///< held by the same ranks of every replica
    std::int64_t experts = 0;  ///< whose replicas are fewer
    std::int64_t trained_shared = 0;
    std::int64_t trained_experts = 0;
};
[[nodiscard]] StageParameters parameters_of(const Stage& stage, const Shard& shard);

/// All parameters on one rank of a stage.
[[nodiscard]] std::int64_t stage_parameters(const Stage& stage, const Shard& shard);
/// What the optimiser updates of them.
[[nodiscard]] std::int64_t trained_parameters(const Stage& stage, const Shard& shard);
/// Those that this rank updates, rounded up: its share of what others hold as well.
[[nodiscard]] std::int64_t updated_parameters(const Stage& stage, const Shard& shard,
                                              const spec::PlanSpec& plan);

/// HBM traffic of the update of one of these: without clipping nobody reads fp32 gradients for
/// their norm.
[[nodiscard]] double update_bytes_per_parameter(const spec::WorkloadSpec& workload);

/// Ranks that hold the same experts, over which their gradients are summed.
[[nodiscard]] int expert_replicas(const spec::PlanSpec& plan);
/// Of these, ranks that share their optimiser state; 1 without ZeRO.
[[nodiscard]] int expert_group(const spec::PlanSpec& plan);

/// Layers of a chunk of `layers` whose forward runs again in full.
[[nodiscard]] std::size_t recomputed_layers(const spec::WorkloadSpec& workload, std::size_t layers);

/// Ranks that share the optimiser state of a parameter; 1 without ZeRO.
[[nodiscard]] int optimizer_group(const spec::PlanSpec& plan);

/// Parameters whose optimiser state a rank keeps, rounded up.
[[nodiscard]] std::int64_t owned_parameters(std::int64_t parameters, const spec::PlanSpec& plan);

}  // namespace sim::workload
