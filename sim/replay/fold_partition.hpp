#pragma once

#include "replay/fold_colours.hpp"
#include "replay/fold_structure.hpp"
#include "replay/machine.hpp"

namespace sim::replay
{

/// Classes whose members do the same at the same time.
struct Partition {
    Classes ranks;
    Classes communicators;
    Classes flows;
    Classes resources;
};

/// The coarsest equitable partition, by colour refinement.
[[nodiscard]] Partition partition(const Machine& machine, const FoldStructure& structure);

}  // namespace sim::replay
