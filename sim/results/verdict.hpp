#pragma once

#include <string>
#include <vector>

#include "results/result_set.hpp"
#include "results/summary.hpp"

namespace sim::results
{

/// Two points that differ in one axis only.
struct Comparison {
    std::string from;   ///< "400G Gen5"
    std::string to;     ///< "800G Gen5"
    std::string fixed;  ///< the other axes' values: "1:1, even"; may be empty
    Summary before;
    Summary after;
};

/// What an architect wants to know, in one sentence: by how much the step changes, which traffic
/// that is about, how much of it compute hides, and what sets its pace now.
///
/// Speaks of the purpose whose exposed or whole time changes most, or, when none changes by 0.1 %
/// of the step, of the one that spends most time on the network; then of the others that expose
/// more or less, and of compute when it gains or loses by what runs beside it. A step that changes
/// by less than 0.05 % is called the same.
[[nodiscard]] std::string sentence(const Comparison& comparison);

/// Every later value of the first axis against its first value, the other axes fixed; in grid
/// order. Pairs with a point that is not done are left out.
[[nodiscard]] std::vector<Comparison> comparisons(const ResultSet& set);

}  // namespace sim::results
