#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"

namespace sim::engine
{

/// The name a resource was added with.
using ResourceNames = std::function<std::string_view(ResourceId)>;

/// What every engine refuses at the seam, in the same words (std::invalid_argument).
void check_resource(const Resource& resource);
void check_activity(const Activity& activity, const ResourceNames& names);
void check_reservation(std::string_view resource, double units);
void check_timer(Time at);

/// What is left of a capacity after reservations, never below 0. A remainder below one part in
/// 1e12 is the rounding of the reservations' sum and counts as nothing.
[[nodiscard]] double usable_capacity(double capacity, double reserved);

/// The words of Stalled, the same for every engine: how many activities wait at `now`, and for
/// which resources (in the order they were added, each once).
[[nodiscard]] std::string stalled_words(Time now, std::size_t activities,
                                        const std::vector<std::string>& resources);

}  // namespace sim::engine
