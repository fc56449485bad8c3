#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/engine.hpp"

namespace sim::engine
{

/// How often an activity's route lists each link, and what one unit of the flow is then worth.
struct WholeWeights {
    struct Part {
        ResourceId resource;
        std::uint32_t times;
    };

    std::vector<Part> parts;  ///< most repeated first
    double scale = 1;  ///< flow units per byte: amounts, caps and shares are multiplied by it
    double error = 0;  ///< largest relative error of a consumption, from rounding to integers
};

/// Turns real consumptions into whole numbers of repetitions.
///
/// Consumption c of resource j by activity i becomes times[i,j] * unit[j] * scale[i]: the unit
/// belongs to the resource (its first consumption), the scale to the activity, and the search
/// takes the smallest scale for which all times are whole within rounding. Exact for activities
/// with one use or rational ratios; else the best found within the bound on repetitions.
/// sim/engine/simgrid.md derives the error.
class WeightScale
{
public:
    void add_resource() { units_.push_back(0); }

    /// Merges repeated resources, leaves out consumption 0, and fixes the unit of resources met
    /// for the first time.
    [[nodiscard]] WholeWeights whole(std::span<const Use> uses);

    /// 1 until the first use.
    [[nodiscard]] double unit(ResourceId resource) const;

private:
    std::vector<double> units_;  ///< by resource; 0 is not fixed yet
};

}  // namespace sim::engine
