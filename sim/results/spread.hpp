#pragma once

#include <array>
#include <string>
#include <vector>

#include "replay/run.hpp"
#include "results/result_set.hpp"
#include "results/summary.hpp"

namespace sim::results
{

struct PurposeSpread {
    std::string purpose;
    Statistics exposed;  ///< seconds
    Statistics hidden;   ///< seconds
};

struct ResourceSpread {
    std::string name;
    Statistics mean_utilisation;
    Statistics peak_utilisation;
};

/// What a Summary tells as a mean, over the seeds of the point: hashed paths and random places make
/// all of it vary. A purpose or resource that a seed does not have counts there as 0.
struct Spread {
    std::array<Statistics, replay::kEntries> ledger{};  ///< seconds, each entry on its own
    std::vector<PurposeSpread> communication;           ///< as in the summary
    std::vector<ResourceSpread> resources;              ///< as in the summary
};

/// The point must be done.
[[nodiscard]] Spread spread(const Point& point);

}  // namespace sim::results
