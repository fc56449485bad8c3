#pragma once

#include <optional>

#include "config/map_reader.hpp"
#include "spec/checkpoint.hpp"
#include "spec/offload.hpp"

namespace sim::config
{

/// `workload.offload`, where it is written.
[[nodiscard]] std::optional<spec::OffloadSpec> read_offload(MapReader reader);
/// `workload.checkpoint`.
[[nodiscard]] std::optional<spec::CheckpointSpec> read_checkpoint(MapReader reader);

}  // namespace sim::config
