#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/quantity.hpp"
#include "spec/attention.hpp"
#include "spec/checker.hpp"
#include "spec/gpu.hpp"
#include "spec/precision.hpp"

namespace sim::spec
{

/// Which gradients of a stage travel together.
enum class Bucketing : std::uint8_t {
    size,         ///< tensors until a bucket has `gradient_bucket` bytes
    first_stage,  ///< the same on the first chunk of the first stage, elsewhere a chunk is a bucket
    layer,
    chunk,  ///< of the stage's model chunks; without a virtual pipeline a layer
    stage,
};

/// What hides the collectives of a tensor group.
enum class TensorOverlap : std::uint8_t {
    none,
    weight_gradient,  ///< in the backward pass, the product beside them
    pipelined,        ///< the product they feed or come from, cut into parts
};

/// How each rank gets the parameters that others updated.
enum class ParameterExchange : std::uint8_t {
    gather,
    broadcast,  ///< whole tensors, owner after owner
};

/// What a framework's kernels reach of the rates of `GpuSpec`, fitted to published steps.
struct KernelProfile {
    std::map<Precision, double> gemm{};  ///< of math_efficiency; 1 where it says nothing
    double attention = 1;                ///< of the attention library's rate
    double memory = 1;                   ///< of memory_efficiency
    friend bool operator==(const KernelProfile&, const KernelProfile&) = default;
};

/// What the training framework does besides the mathematics; see sim/workload/framework.md.
struct FrameworkSpec {
    std::string name{};
    Bytes gradient_bucket{};  ///< of those made by size
    Bucketing bucketing = Bucketing::size;
    bool overlap_gradients = true;   ///< a bucket leaves as soon as its gradients are ready
    bool overlap_parameters = true;  ///< ZeRO's gather runs under the next step's forward
    ParameterExchange parameter_exchange = ParameterExchange::gather;
    TensorOverlap tensor_overlap = TensorOverlap::weight_gradient;
    bool fused_accumulation = true;   ///< a weight's gradient is added up by the product itself
    bool blocking_transfers = false;  ///< a stage computes on when its message has arrived
    bool hidden_exchanges = false;    ///< tokens go to experts under another micro-batch's work
    /// Neighbours that share the one copy of a token sent to them; absent: each expert gets its
    /// own.
    std::optional<int> copies_per{};
    bool scattered_transfers =
        false;  ///< each tensor rank sends its share, the receivers gather; else each sends all
    Time transfer_restart{};  ///< what a stage needs to compute again after a blocking message
    Time issue_forward{};     ///< of the host, for the kernels of a layer
    Time issue_backward{};
    Time issue_experts{};                      ///< more of each pass over a layer of experts
    Time issue_each_expert{};                  ///< and of each expert that a rank holds
    Time issue_collective{};                   ///< more for each collective of the tensor group
    Time step_overhead{};                      ///< of the host, between two steps
    double optimizer_bytes_per_parameter = 0;  ///< HBM traffic of the update, per owned parameter
    double step_bytes_per_parameter = 0;       ///< and per parameter of the rank, at a step's end
    double optimizer_state_bytes = 0;          ///< master copy and moments, per owned parameter
    std::optional<AttentionLibrary> attention{};  ///< absent: the newest the GPU lists
    Bytes reserved{};  ///< context, communicator buffers, allocator slack
    std::map<std::string, KernelProfile> kernels{};  ///< by the GPU's name
    friend bool operator==(const FrameworkSpec&, const FrameworkSpec&) = default;
};

/// The GPU as the framework's kernels use it.
[[nodiscard]] GpuSpec as_used_by(const FrameworkSpec& framework, GpuSpec gpu);

/// Complains under "framework.".
void check_framework(Checker& check, const FrameworkSpec& framework);

}  // namespace sim::spec
