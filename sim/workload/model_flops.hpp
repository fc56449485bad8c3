#pragma once

#include <cstdint>

#include "core/quantity.hpp"
#include "spec/workload.hpp"

namespace sim::workload
{

/// MFU's numerator: six operations per token and number in the matrices a token passes through,
/// the output projection included (four when they are frozen), and attention's products with the
/// keys a token sees. Nothing that is computed twice.
[[nodiscard]] Flops model_flops(const spec::WorkloadSpec& workload, std::int64_t tokens);

}  // namespace sim::workload
