#pragma once

#include "core/quantity.hpp"
#include "spec/workload.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

/// What one layer keeps of one micro-batch for its backward pass, on one rank, by what it is of.
struct ActivationKinds {
    Bytes inputs{};   ///< of norms and of the first matrix of each half; all, when recomputed
    Bytes masks{};    ///< dropout's, of the hidden state
    Bytes mixer{};    ///< queries, keys, values, outputs, or what stands for them
    Bytes scores{};   ///< of unfused attention
    Bytes mlp{};      ///< between the dense matrices
    Bytes experts{};  ///< tokens at their experts, and what is made of them

    [[nodiscard]] Bytes total() const { return inputs + masks + mixer + scores + mlp + experts; }
};
[[nodiscard]] ActivationKinds activation_kinds(const Shard& shard, spec::LayerKind kind,
                                               spec::Recompute recompute);

/// Bytes one layer keeps of one micro-batch for its backward pass, on one rank, counted tensor by
/// tensor. For a GPT layer of four widths with dropout these are the s b h (10 + 24 / t) and
/// s b h 34 / t of Korthikanti et al. (arXiv:2205.05198), to the byte.
[[nodiscard]] Bytes layer_activations(const Shard& shard, spec::LayerKind kind,
                                      spec::Recompute recompute);

/// What the embedding keeps: dropout's mask.
[[nodiscard]] Bytes embedding_activations(const Shard& shard);

/// The working set of a layer's backward pass, beside what it keeps.
[[nodiscard]] Bytes layer_temporary(const Shard& shard, spec::LayerKind kind);

/// Logits in both widths and the gathered input of the output projection.
[[nodiscard]] Bytes head_temporary(const Shard& shard);

}  // namespace sim::workload
