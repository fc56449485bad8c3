#pragma once

#include "core/quantity.hpp"
#include "spec/ssd.hpp"

namespace sim::memory
{

/// In order, as fast as the tracks pass; mean over the disk, whose inner tracks hold less:
///     capacity / time, every radius as long as its share of the bytes.
[[nodiscard]] Bandwidth hdd_sequential(const spec::HddSpec& hdd);

/// Anywhere: command + seek + half a revolution + the block itself. Of q requests the nearest
/// goes first; its seek is 2 / (q + 1) of the mean, the smallest of q over the mean of one.
[[nodiscard]] double hdd_random(const spec::HddSpec& hdd, Bytes block, int queue_depth);

}  // namespace sim::memory
