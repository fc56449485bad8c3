#pragma once

#include "config/model_families.hpp"
#include "config/model_keys.hpp"
#include "spec/model.hpp"

namespace sim::config
{

/// The model that the keys describe, read as its family reads them; what is wrong stays in `keys`.
[[nodiscard]] spec::ModelSpec read_shapes(ModelKeys& keys, const Family& family);

}  // namespace sim::config
