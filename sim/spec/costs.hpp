#pragma once

#include "core/quantity.hpp"

namespace sim::spec
{

/// A part of a machine as it is bought and fed.
struct PartCost {
    Money price{};
    Power power{};  ///< at work
};

/// What machines cost, for weighing GPUs against memory and drives. sim/sweep/tier_frontier.md
struct CostSpec {
    PartCost gpu{};
    Power gpu_idle{};
    PartCost node{};       ///< all of a node but GPUs, the memory and drives that are counted
    PartCost memory_TB{};  ///< 10^12 bytes of host or pooled memory
    PartCost drive{};
    Money kilowatt_hour{};
    double years = 0;  ///< over which what is bought is written off
};

}  // namespace sim::spec
