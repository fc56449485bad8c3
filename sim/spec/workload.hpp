#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/attention.hpp"
#include "spec/model.hpp"
#include "spec/precision.hpp"

namespace sim::spec
{

enum class Recompute { none, selective, full };

/// How the model is cut over the ranks. tensor * pipeline * data == number of ranks.
/// Ranks are numbered tensor fastest, then data, then pipeline (Megatron's order).
struct PlanSpec {
    int tensor = 1;
    int pipeline = 1;
    int data = 1;
    /// Experts are spread over `expert` groups of `expert_tensor` ranks that cut each of them: the
    /// ranks of a stage, divided anew. Both follow the order of the ranks, expert_tensor fastest.
    int expert = 1;
    int expert_tensor = 1;
    int zero = 0;                     ///< 0 or 1: optimiser state sharded over `zero_group`
    std::optional<int> zero_group{};  ///< ranks that share the optimiser state; absent: data
    bool sequence_parallel = false;
    std::vector<int> layers_per_stage{};  ///< sums to the model's layers; one entry per stage
};

/// What the training framework does besides the mathematics; see sim/workload/framework.md.
struct FrameworkSpec {
    std::string name{};
    Bytes gradient_bucket{};         ///< gradients travel in buckets of this size
    bool overlap_gradients = true;   ///< a bucket leaves as soon as its gradients are ready
    bool overlap_parameters = true;  ///< ZeRO's gather runs under the next step's forward
    double optimizer_bytes_per_parameter = 0;  ///< HBM traffic of the update, per owned parameter
    double optimizer_state_bytes = 0;          ///< master copy and moments, per owned parameter
    std::optional<AttentionLibrary> attention{};  ///< absent: the newest the GPU lists
    Bytes reserved{};  ///< context, communicator buffers, allocator slack
};

struct WorkloadSpec {
    ModelSpec model{};
    std::int64_t sequence = 0;
    std::int64_t global_batch = 0;  ///< sequences a step
    std::int64_t micro_batch = 0;   ///< sequences a rank works on at once
    Precision precision = Precision::bf16;
    Precision gradient_precision = Precision::fp32;
    PlanSpec plan{};
    Recompute recompute = Recompute::none;
    FrameworkSpec framework{};
};

/// Micro-batches of a step on one rank.
[[nodiscard]] std::int64_t micro_batches(const WorkloadSpec& workload);

inline constexpr int kMostRanks = 100'000'000;
/// The cluster is too wrong to say how many ranks it has; the plan is then not held against it.
inline constexpr int kRanksUnknown = 0;

/// `ranks` is what the cluster has.
[[nodiscard]] Diagnostics validate(const WorkloadSpec& workload, int ranks, const std::string& key);

}  // namespace sim::spec
