#pragma once

#include "config/model_families.hpp"
#include "config/model_keys.hpp"
#include "spec/model.hpp"

namespace sim::config
{

/// Sets what differs from layer to layer: windows, linear attention, experts. The model's layers
/// and experts are read already.
void read_layer_kinds(ModelKeys& keys, const Family& family, spec::ModelSpec& model);

}  // namespace sim::config
