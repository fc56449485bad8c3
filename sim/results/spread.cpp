#include "results/spread.hpp"

#include <utility>

namespace sim::results
{
namespace
{

/// One for each seed.
std::vector<Summary> by_seed(const Point& point)
{
    std::vector<Summary> summaries;
    for (const auto& run : point.runs) {
        Point alone;
        alone.runs = {run};
        summaries.push_back(summarise(alone));
    }
    return summaries;
}

template <class Number>
Statistics over(const std::vector<Summary>& seeds, Number number)
{
    std::vector<double> values;
    for (const auto& seed : seeds) {
        values.push_back(number(seed));
    }
    return statistics(std::move(values));
}

/// `number` of the entry that is called so, or 0.
template <class Entry>
auto named(std::vector<Entry> Summary::*entries, std::string Entry::*name,
           const std::string& wanted, double Entry::*number)
{
    return [=](const Summary& seed) {
        for (const auto& entry : seed.*entries) {
            if (entry.*name == wanted) {
                return entry.*number;
            }
        }
        return 0.0;
    };
}

}  // namespace

Spread spread(const Point& point)
{
    using replay::ResourceClass;
    const auto seeds = by_seed(point);
    const auto whole = summarise(point);
    Spread found;
    for (std::size_t e = 0; e < replay::kEntries; ++e) {
        found.ledger[e] = over(seeds, [e](const Summary& seed) { return seed.ledger[e]; });
    }
    for (const auto& purpose : whole.communication) {
        const auto of = [&](double PurposeSummary::*number) {
            return over(seeds, named(&Summary::communication, &PurposeSummary::purpose,
                                     purpose.purpose, number));
        };
        found.communication.push_back(
            {purpose.purpose, of(&PurposeSummary::exposed), of(&PurposeSummary::hidden)});
    }
    for (const auto& resource : whole.resources) {
        const auto of = [&](double ResourceClass::*number) {
            return over(seeds,
                        named(&Summary::resources, &ResourceClass::name, resource.name, number));
        };
        found.resources.push_back({resource.name, of(&ResourceClass::mean_utilisation),
                                   of(&ResourceClass::peak_utilisation)});
    }
    return found;
}

}  // namespace sim::results
