#pragma once

#include <cstddef>
#include <optional>

#include "spec/experiment.hpp"
#include "sweep/tier_frontier.hpp"

namespace sim::sweep
{

/// A policy that fits, and its step.
struct Placed {
    spec::OffloadSpec offload{};
    Time step{};
};

struct ResidenceSearch {
    std::optional<Placed> best{};  ///< nothing when nothing fits
    std::size_t simulated = 0;     ///< policies
};

/// Chooses where weights, gradients, optimiser state and activations live among the tiers that the
/// machine has, who updates, and how far ahead is fetched, for the shortest step that fits: from
/// several starts, the best change of one choice again and again until none is better, then the
/// least share of the optimiser's state away that fits. No single change of what it returns is
/// better; sim/sweep/residence_search.md.
[[nodiscard]] ResidenceSearch place(const spec::ExperimentSpec& experiment,
                                    const SimulateOne& simulate);

/// The best of all combinations of the same choices, whole shares only.
[[nodiscard]] ResidenceSearch place_exhaustively(const spec::ExperimentSpec& experiment,
                                                 const SimulateOne& simulate);

}  // namespace sim::sweep
