#pragma once

#include <vector>

#include "core/quantity.hpp"

namespace sim::memory
{

/// Equal servers with a queue each, of which every request uses one, any with equal chance.
struct Stations {
    int count = 1;
    Time work{};  ///< one request's, summed over the servers
};

struct NetworkAnswer {
    double per_second = 0;
    Time latency{};
};

/// `in_flight` requests that go around stations for ever: exact mean-value analysis (Reiser and
/// Lavenberg, J. ACM 27, 1980) for service times that vary like waiting ones,
///     response(n) = delay + sum of work (1 + queue(n - 1)),  rate(n) = n / response(n);
/// for work that is always the same it is a lower bound near the knee (sim/memory/ssd.md).
[[nodiscard]] NetworkAnswer closed_network(int in_flight, Time delay,
                                           const std::vector<Stations>& stations);

}  // namespace sim::memory
