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
/// `travelled`: the exchanges of another micro-batch, where `begin_exchanges` started any.
int experts_forward(Recipe& recipe, const Shard& shard, int travelled);
void experts_backward(Recipe& recipe, const Shard& shard, int travelled);

/// With hidden exchanges a micro-batch's tokens travel while the rank works on another one's pass
/// over the layer, so that a pass takes the longer of its work and its exchanges. At its start.
int begin_exchanges(Recipe& recipe, spec::LayerKind kind);

}  // namespace sim::workload
