#include "memory/closed_network.hpp"

#include "core/contract.hpp"

namespace sim::memory
{

NetworkAnswer closed_network(int in_flight, Time delay, const std::vector<Stations>& stations)
{
    SIM_EXPECT(in_flight >= 1);
    std::vector<double> queue(stations.size());
    NetworkAnswer answer;
    for (int n = 1; n <= in_flight; ++n) {
        auto response = delay;
        for (std::size_t s = 0; s < stations.size(); ++s) {
            response += stations[s].work * (1 + queue[s]);
        }
        SIM_EXPECT(response > Time{});
        answer = {n / (response / Time::of(1)), response};
        for (std::size_t s = 0; s < stations.size(); ++s) {
            const auto each = stations[s].work / Time::of(stations[s].count);
            queue[s] = answer.per_second * each * (1 + queue[s]);
        }
    }
    return answer;
}

}  // namespace sim::memory
