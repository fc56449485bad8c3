#pragma once

#include <vector>

#include "config/map_reader.hpp"
#include "spec/event.hpp"

namespace sim::config
{

/// The key `events` of a cluster: a list of { at, resource, capacity }.
[[nodiscard]] std::vector<spec::CapacityEvent> read_events(MapReader& reader);

}  // namespace sim::config
