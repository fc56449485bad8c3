#pragma once

#include <functional>
#include <string>
#include <vector>

#include "replay/scaling.hpp"
#include "results/document.hpp"

namespace sim::results
{

/// What one class of resources is worth to the step.
struct ResourceElasticity {
    std::string resource;  ///< as in a result, or "latency"
    double slope = 0;      ///< d ln(step) / d ln(capacity), at the capacity it has
    double doubled = 0;    ///< the step with twice the capacity, or half the latencies; seconds
    double endless = 0;    ///< the step with so much that it no longer counts; seconds
};

struct Elasticity {
    double step = 0;                ///< as it is; seconds
    double free_communication = 0;  ///< the step when no collective moves anything; seconds
    std::vector<ResourceElasticity> resources;
    std::string explanation;      ///< in words
    std::string largest_share{};  ///< what the largest part of the step is bound by, when known
};

/// The step of the same experiment on a scaled machine, in seconds.
using StepOf = std::function<double(const replay::Scaling&)>;
/// Told after each simulation.
using Progress = std::function<void(std::size_t done, std::size_t all)>;

/// By re-simulation: four simulations a resource, and two. `resources` are names of classes;
/// latencies are added. Slopes are central differences over 2 % of capacity each way; "endless" is
/// a million times the capacity, and no latency. sim/results/elasticity.md
[[nodiscard]] Elasticity elasticity(const StepOf& step_of,
                                    const std::vector<std::string>& resources,
                                    const Progress& progress);

/// A paragraph: what binds, what doubling it buys, and what buys nothing. What gains most need not
/// be what takes most of the time; where they differ it says both.
[[nodiscard]] std::string explain(const Elasticity& elasticity);

/// "nic" -> "the NICs": a class as a person calls it.
[[nodiscard]] std::string in_words(const std::string& resource);

[[nodiscard]] Group elasticity_group(const Elasticity& elasticity);

}  // namespace sim::results
