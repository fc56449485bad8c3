#pragma once

#include "memory/dram_channel.hpp"

namespace sim::memory
{

/// Energy of what the channels did in `standing` (summed over pseudo-channels), per bit moved.
[[nodiscard]] double pj_per_bit(const spec::DramSpec& dram, const ChannelCounters& done,
                                Time standing);

}  // namespace sim::memory
