#include "cli/comm_spread.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace sim::cli
{
namespace
{

template <class Number>
results::Statistics over(const std::vector<const CommResult*>& seeds, Number number)
{
    std::vector<double> values;
    for (const auto* seed : seeds) {
        values.push_back(number(*seed));
    }
    return results::statistics(std::move(values));
}

CommSpread spread_of(const std::vector<const CommResult*>& seeds)
{
    CommSpread spread;
    spread.time = over(seeds, [](const CommResult& row) { return row.time.base(); });
    spread.alone = over(seeds, [](const CommResult& row) { return row.alone.base(); });
    spread.algbw = over(seeds, [](const CommResult& row) { return row.algbw; });
    spread.busbw = over(seeds, [](const CommResult& row) { return row.busbw; });
    for (const auto* seed : seeds) {
        spread.times.push_back(seed->time.base());
    }
    return spread;
}

/// The lower of the two in the middle when there is no one in the middle.
const CommResult& median(std::vector<const CommResult*> seeds)
{
    std::stable_sort(seeds.begin(), seeds.end(),
                     [](const CommResult* a, const CommResult* b) { return a->time < b->time; });
    return *seeds[(seeds.size() - 1) / 2];
}

}  // namespace

CommTable over_seeds(const std::vector<CommTable>& by_seed)
{
    SIM_EXPECT(!by_seed.empty());
    CommTable table;
    table.concurrent = by_seed.front().concurrent;
    for (std::size_t i = 0; i < by_seed.front().rows.size(); ++i) {
        std::vector<const CommResult*> seeds;
        for (const auto& seed : by_seed) {
            SIM_EXPECT(seed.rows.size() == by_seed.front().rows.size());
            seeds.push_back(&seed.rows[i]);
        }
        const auto spread = spread_of(seeds);
        auto row = median(seeds);
        row.time = Time::of(spread.time.mean);
        row.alone = Time::of(spread.alone.mean);
        row.algbw = spread.algbw.mean;
        row.busbw = spread.busbw.mean;
        table.rows.push_back(std::move(row));
        table.spreads.push_back(spread);
    }
    return table;
}

}  // namespace sim::cli
