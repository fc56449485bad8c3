#pragma once

#include <optional>

#include "config/map_reader.hpp"
#include "spec/checkpoint.hpp"
#include "spec/offload.hpp"

namespace sim::config
{

/// `workload.offload`, where it is written.
[[nodiscard]] std::optional<spec::OffloadSpec> read_offload(MapReader reader);
/// `workload.activation_offload: n`, short for `offload.activations: { to: dram, layers: n }`:
/// joins a policy that does not say where activations live, else is one that moves nothing else.
void read_activation_offload(MapReader& workload, std::optional<spec::OffloadSpec>& offload);
/// `workload.checkpoint`.
[[nodiscard]] std::optional<spec::CheckpointSpec> read_checkpoint(MapReader reader);

}  // namespace sim::config
