#include "memory/hdd.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace sim::memory
{

Bandwidth hdd_sequential(const spec::HddSpec& hdd)
{
    // Tracks pass at one speed, so a track's bytes follow its radius; from inner to outer in equal
    // steps the mean over tracks is the mean over time.
    return (hdd.outer + hdd.inner) / 2;
}

double hdd_random(const spec::HddSpec& hdd, Bytes block, int queue_depth)
{
    SIM_EXPECT(queue_depth >= 1);
    const int ordered = std::min(queue_depth, hdd.queue_depth);
    const auto service = hdd.command + hdd.seek * (2.0 / (ordered + 1)) + hdd.revolution / 2 +
                         block / hdd_sequential(hdd);
    return 1 / (service / Time::of(1));
}

}  // namespace sim::memory
