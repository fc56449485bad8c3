#pragma once

#include <vector>

#include "workload/recipe.hpp"

namespace sim::workload
{

/// A backward pass in two: what the part of the model before needs, and what only its weights'
/// gradients need. The second may run any time after the first, whose collectives it finds ended;
/// the gradients of both are complete when it ends.
struct BackwardSplit {
    std::vector<Item> input;
    std::vector<Item> weights;
};

[[nodiscard]] BackwardSplit split_backward(const Recipe& backward);

}  // namespace sim::workload
