#pragma once

#include <cstdint>

#include "workload/recipe.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

/// What a rank runs for one micro-batch; sim/workload/layers.md has the tables of shapes and bytes.
/// A recomputed forward runs again in the backward pass, collectives included.
[[nodiscard]] Recipe layer_forward(const Shard& shard, spec::LayerKind kind, bool recomputed);
[[nodiscard]] Recipe layer_backward(const Shard& shard, spec::LayerKind kind);

[[nodiscard]] Recipe embedding_forward(const Shard& shard);
[[nodiscard]] Recipe embedding_backward(const Shard& shard);

/// The final norm, the output projection over the rank's share of the words, and the loss.
[[nodiscard]] Recipe head_forward(const Shard& shard);
/// Whose the output projection is.
enum class HeadWeight : std::uint8_t {
    own,           ///< its gradient is complete here
    of_embedding,  ///< and there in the embedding's backward
    frozen,        ///< nobody's: there is no gradient
};
/// What a backward pass begins with.
inline constexpr const char* kFirstOfBackward = "loss backward";
[[nodiscard]] Recipe head_backward(const Shard& shard, HeadWeight weight);

}  // namespace sim::workload
