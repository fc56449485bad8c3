#include "workload/matrix_operations.hpp"

#include <string>

namespace sim::workload
{

std::int64_t hidden_bytes(const Shard& shard, std::int64_t passes)
{
    return passes * shard.element * shard.local_tokens * shard.hidden;
}

std::int64_t mask_bytes(const Shard& shard)
{
    return shard.dropout ? shard.local_tokens * shard.hidden : 0;
}

void row_backward(Recipe& recipe, const Shard& shard, const char* name, std::int64_t width)
{
    const std::string label = name;
    recipe.cast(shard.local_tokens * shard.hidden);
    recipe.gathered_gemm(label + " dgrad", {shard.tokens, width, shard.hidden},
                         label + " gradient gather");
    recipe.weight_gradient(label + " wgrad", {width, shard.hidden, shard.tokens});
}

ColumnBackward column_backward(Recipe& recipe, const Shard& shard, const char* name,
                               std::int64_t width)
{
    const std::string label = name;
    const bool frozen = shard.frozen() || shard.frozen_matrices;
    const int input = frozen ? kNothing : recipe.gather(label + " input gather");
    recipe.gemm(label + " dgrad", {shard.tokens, shard.hidden, width});
    const int reduced = recipe.reduce(label + " gradient reduce");
    const bool overlaps = shard.tensor_overlap != spec::TensorOverlap::none;
    const int weight = recipe.weight_gradient(label + " wgrad", {width, shard.hidden, shard.tokens},
                                              overlaps ? input : reduced);
    return {weight, reduced};
}

void norm_backward(Recipe& recipe, const Shard& shard, int after)
{
    recipe.streaming("norm backward", hidden_bytes(shard, 4), after);
    recipe.gradients_ready(shard.norm);
}

}  // namespace sim::workload
