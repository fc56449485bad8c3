#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/quantity.hpp"
#include "spec/workload.hpp"

namespace sim::cli
{

/// What a kind of layer keeps of a micro-batch, by what it is of.
struct LayerActivations {
    std::string layer;  ///< "attention, experts"
    int count = 0;      ///< layers of the model
    std::vector<std::pair<std::string, Bytes>> kept;
};

/// In the order of the model's layers.
[[nodiscard]] std::vector<LayerActivations> layer_activations(const spec::WorkloadSpec& workload);

/// A row a kind of layer.
[[nodiscard]] std::string activation_table(const std::vector<LayerActivations>& layers);

}  // namespace sim::cli
