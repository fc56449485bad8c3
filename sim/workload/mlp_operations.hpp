#pragma once

#include "workload/recipe.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

/// The dense MLP from the normed hidden state; returns the collective that sums its output.
int mlp_forward(Recipe& recipe, const Shard& shard);
/// The norm before it included.
void mlp_backward(Recipe& recipe, const Shard& shard);

/// A mixture of experts: router, exchange of tokens, one product for all experts of a rank, and
/// the experts that every token goes to. sim/workload/layers.md has the shapes.
int experts_forward(Recipe& recipe, const Shard& shard);
void experts_backward(Recipe& recipe, const Shard& shard);

}  // namespace sim::workload
