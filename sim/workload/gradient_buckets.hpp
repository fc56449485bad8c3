#pragma once

#include <cstdint>
#include <vector>

#include "core/quantity.hpp"

namespace sim::workload
{

/// Gradients of one block of the model as its backward pass completes them.
using BlockGradients = std::vector<std::int64_t>;

/// How a stage's gradients travel: whole tensors are added to a bucket until it has the wanted
/// size, in the order of the backward pass.
struct BucketPlan {
    std::vector<std::int64_t> parameters;     ///< of each bucket, in that order
    std::vector<std::size_t> first_of_block;  ///< the earliest bucket with a part of the block
};

[[nodiscard]] BucketPlan plan_buckets(const std::vector<BlockGradients>& blocks, Bytes wanted,
                                      std::int64_t gradient_bytes);

}  // namespace sim::workload
