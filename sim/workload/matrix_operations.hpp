#pragma once

#include "workload/recipe.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

/// Bytes of `passes` reads or writes of the hidden state where norms and residuals see it.
[[nodiscard]] std::int64_t hidden_bytes(const Shard& shard, std::int64_t passes);

/// Dropout's mask beside the hidden state, a byte an element; 0 without dropout.
[[nodiscard]] std::int64_t mask_bytes(const Shard& shard);

/// The backward pass of a matrix whose rows are cut: its input is `width` wide, its output was
/// reduced.
void row_backward(Recipe& recipe, const Shard& shard, const char* name, std::int64_t width);

/// The backward pass of a matrix whose columns are cut. The input is gathered again under the first
/// GEMM, its gradient reduced under the second.
struct ColumnBackward {
    int weight = kNothing;   ///< the weight gradient's item
    int reduced = kNothing;  ///< the sum of the input's gradient
};
ColumnBackward column_backward(Recipe& recipe, const Shard& shard, const char* name,
                               std::int64_t width);

/// The norm before a matrix: gradient, input and residual's gradient in, one gradient out.
void norm_backward(Recipe& recipe, const Shard& shard, int after);

}  // namespace sim::workload
