#include "core/literals.hpp"

using namespace sim::literals;

constexpr sim::Time transfer(sim::Bandwidth bandwidth, sim::Time latency)
{
    return 1_GB / bandwidth + latency;
}

#ifdef MISTAKE
[[maybe_unused]] constexpr auto kTime = transfer(1_us, 400_Gbps);
#else
[[maybe_unused]] constexpr auto kTime = transfer(400_Gbps, 1_us);
#endif
