#pragma once

#include <cstdint>

#include "spec/model.hpp"

namespace sim::workload
{

[[nodiscard]] std::int64_t layer_parameters(const spec::ModelSpec& model);
[[nodiscard]] std::int64_t embedding_parameters(const spec::ModelSpec& model);  ///< input side
/// 0 when tied; without the final norm.
[[nodiscard]] std::int64_t head_parameters(const spec::ModelSpec& model);
/// All of them, the final norm included; equals the published count to the last one.
[[nodiscard]] std::int64_t total_parameters(const spec::ModelSpec& model);

}  // namespace sim::workload
