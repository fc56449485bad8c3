#pragma once

#include <vector>

#include "config/map_reader.hpp"
#include "spec/event.hpp"
#include "spec/outage.hpp"

namespace sim::config
{

/// The key `events` of a cluster: a list of { at, resource, capacity }.
[[nodiscard]] std::vector<spec::CapacityEvent> read_events(MapReader& reader);

/// The list `outages` of a cluster, empty when it is not written.
[[nodiscard]] std::vector<spec::Outage> read_outages(MapReader& reader);

}  // namespace sim::config
