#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/checkpoint.hpp"
#include "spec/framework.hpp"
#include "spec/input.hpp"
#include "spec/model.hpp"
#include "spec/offload.hpp"
#include "spec/precision.hpp"

namespace sim::spec
{

enum class Recompute { none, selective, full };

/// How tokens get to their experts.
enum class Dispatch : std::uint8_t {
    all_to_all,  ///< to the ranks of the experts they chose
    all_gather,  ///< to every rank of the expert group
};

/// In which order a stage takes its micro-batches.
enum class Schedule : std::uint8_t {
    one_forward_one_backward,  ///< interleaved where a stage holds several chunks
    all_forward,               ///< GPipe: every forward, then every backward
    zero_bubble,               ///< ZB-H1: weights' gradients fill what would be the bubble
};

/// How ranks that share the tokens of a sequence see each other's keys and values.
enum class ContextExchange : std::uint8_t {
    ring,        ///< passed round while a rank works on those it has
    all_gather,  ///< of all keys and values, before attention
    all_to_all,  ///< heads for tokens and back: a rank attends to whole sequences (Ulysses)
};

/// What gradients are turned into before replicas sum them.
enum class GradientCompression : std::uint8_t {
    none,
    fp8,   ///< a byte, and an fp32 scale a block
    int8,  ///< the same
    top_k  ///< the largest ones with their places, each rank's to all
};

/// Numbers that share a scale when gradients are quantised.
inline constexpr int kQuantisedBlock = 2048;

/// How the model is cut over the ranks. tensor * context * pipeline * data ==
/// number of ranks. Ranks are numbered tensor fastest, then context, data and pipeline
/// (Megatron's order).
struct PlanSpec {
    int tensor = 1;
    int pipeline = 1;
    int data = 1;
    int context = 1;  ///< ranks that share the tokens of each sequence
    ContextExchange context_exchange = ContextExchange::ring;
    /// Experts are spread over `expert` groups of `expert_tensor` ranks that cut each of them: the
    /// ranks of a stage, divided anew. Both follow the order of the ranks, expert_tensor fastest.
    int expert = 1;
    int expert_tensor = 1;
    Dispatch expert_dispatch = Dispatch::all_to_all;
    double expert_imbalance = 1;  ///< tokens of the fullest expert rank, of the mean
    /// Of the mean: experts drop what is above and are padded to it, whatever the imbalance.
    std::optional<double> expert_capacity{};
    /// The experts for every token work while the others' tokens travel.
    bool overlap_shared_experts = false;
    /// What is sharded over `zero_group`: 1 the optimiser's state, 2 gradients as well, 3
    /// parameters as well.
    int zero = 0;
    std::optional<int> zero_group{};  ///< ranks that share the optimiser state; absent: data
    /// Ranks that hold a second copy of the parameters together, from which the backward pass
    /// gathers them (ZeRO++'s hpZ). Absent: none.
    std::optional<int> backward_group{};
    int prefetch = 1;  ///< layers of sharded parameters gathered ahead
    bool sequence_parallel = false;
    int chunks = 1;  ///< of the model on each stage: its virtual pipeline
    Schedule schedule = Schedule::one_forward_one_backward;
    bool ends_as_layers = false;      ///< embedding and output projection take a layer's place each
    bool embedding_as_layer = false;  ///< of the two the first alone
    bool head_as_layer = false;       ///< the second alone
    /// Sums to the model's layers; one entry per stage, or per chunk in the model's order.
    std::vector<int> layers_per_stage{};
    friend bool operator==(const PlanSpec&, const PlanSpec&) = default;
};

struct WorkloadSpec {
    ModelSpec model{};
    std::int64_t sequence = 0;
    std::int64_t global_batch = 0;  ///< sequences a step
    std::int64_t micro_batch = 0;   ///< sequences a rank works on at once
    /// Tokens that a sequence begins with: a step generates the others, one after the other, and
    /// nothing learns. Absent: a step trains on all of them.
    std::optional<std::int64_t> prompt{};
    Precision precision = Precision::bf16;
    Precision gradient_precision = Precision::fp32;
    PlanSpec plan{};
    Recompute recompute = Recompute::none;
    std::optional<int> recompute_layers{};  ///< of each chunk, the first ones; absent: all
    bool dropout = false;                   ///< of the hidden state, twice a layer
    /// Of adapters (LoRA) beside attention's matrices, the only ones that learn; 0: all weights do.
    std::int64_t adapter_rank = 0;
    bool adapter_mlp = false;            ///< also beside the matrices of dense MLPs
    std::optional<Precision> weights{};  ///< as stored, when frozen; absent: as computed with
    int frozen_layers = 0;               ///< the first ones and the embedding; the rest learns
    GradientCompression compression = GradientCompression::none;
    double kept_gradients = 0.01;  ///< share that top_k keeps
    bool loss_scaling = false;     ///< gradients are scaled back and searched for overflow
    bool gradient_clipping = true;
    FrameworkSpec framework{};
    std::optional<InputSpec> input{};
    std::optional<OffloadSpec> offload{};
    std::optional<CheckpointSpec> checkpoint{};
    friend bool operator==(const WorkloadSpec&, const WorkloadSpec&) = default;
};

/// Places of layers that the embedding takes, 0 or 1, and the output projection.
[[nodiscard]] constexpr int embedding_places(const PlanSpec& plan)
{
    return plan.ends_as_layers || plan.embedding_as_layer ? 1 : 0;
}
[[nodiscard]] constexpr int head_places(const PlanSpec& plan)
{
    return plan.ends_as_layers || plan.head_as_layer ? 1 : 0;
}

/// Ranks that hold the same parameters and sum their gradients.
[[nodiscard]] int replicas(const PlanSpec& plan);

/// Whether `layers_per_stage` has an entry for each chunk, in the model's order.
[[nodiscard]] bool lists_chunks(const PlanSpec& plan);

/// Micro-batches of a step on one rank.
[[nodiscard]] std::int64_t micro_batches(const WorkloadSpec& workload);

inline constexpr int kMostRanks = 100'000'000;
/// The cluster is too wrong to say how many ranks it has; the plan is then not held against it.
inline constexpr int kRanksUnknown = 0;

/// `ranks` is what the cluster has.
[[nodiscard]] Diagnostics validate(const WorkloadSpec& workload, int ranks, const std::string& key);

}  // namespace sim::spec
