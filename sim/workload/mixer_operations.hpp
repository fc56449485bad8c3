#pragma once

#include "spec/model.hpp"
#include "workload/recipe.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

/// What mixes the tokens of a layer, from the normed hidden state to the output projection; returns
/// the collective that sums its output. sim/workload/layers.md has the shapes.
int mixer_forward(Recipe& recipe, const Shard& shard, spec::Mixer mixer);

/// Back to the gradient of the hidden state, the norm before it included.
void mixer_backward(Recipe& recipe, const Shard& shard, spec::Mixer mixer);

}  // namespace sim::workload
