#include "engine/simgrid_options.hpp"

#include <algorithm>

namespace sim::engine
{

std::vector<std::string> simgrid_options()
{
    return {
        // Max-min fair sharing without the TCP corrections: no 3 % header tax, no 13-fold latency.
        "network/model:CM02",
        // The answers to a transfer must not take 5 % of the way back.
        "network/crosstraffic:0",
        // No window: 4 MiB in flight would cap a flow at gamma / (2 latency).
        "network/TCP-gamma:0",
        "network/optim:Lazy",
        "network/maxmin-selective-update:yes",
        // Leftovers below this share of a capacity are rounding; 1e-5 by default.
        "maxmin/precision:1e-12",
        // Start value; raised with the clock (simgrid.md).
        "surf/precision:1e-18",
    };
}

double simgrid_precision(double at)
{
    constexpr double kStart = 1e-18;
    constexpr double kSameInstant = 1e-14;
    return std::max(kStart, at * kSameInstant);
}

}  // namespace sim::engine
