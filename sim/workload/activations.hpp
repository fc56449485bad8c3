#pragma once

#include "core/quantity.hpp"
#include "spec/workload.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

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
