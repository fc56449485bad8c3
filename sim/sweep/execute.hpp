#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "replay/run.hpp"
#include "results/result_set.hpp"
#include "spec/experiment.hpp"

namespace sim::sweep
{

/// How a point becomes numbers; a test gives its own.
struct Steps {
    std::function<spec::ExperimentSpec(const std::vector<config::Override>&)> load;
    std::function<replay::Result(const spec::ExperimentSpec&)> simulate;
    std::function<void(std::size_t done, std::size_t points)> progress;
};

/// Reads the sweep's base and simulates with these options.
[[nodiscard]] Steps real_steps(const config::LoadedSweep& sweep, const replay::Options& options);

struct Options {
    bool ignore_memory = false;  ///< simulate what does not fit
};

/// True when another seed may give another answer: paths are hashed, or ranks placed at random.
[[nodiscard]] bool depends_on_seed(const spec::ExperimentSpec& experiment);

/// One experiment as a point: checked for memory, then simulated with `seeds` seeds from its own
/// on (one when the answer does not depend on it). Lets every exception through.
[[nodiscard]] results::Point simulate_point(const spec::ExperimentSpec& experiment, int seeds,
                                            const Steps& steps, const Options& options);

/// Every point of the grid, one after another. A point that does not fit, that is invalid or that
/// fails is recorded with its message and the rest goes on. Provenance is the caller's.
[[nodiscard]] results::ResultSet execute(const spec::SweepSpec& sweep, const Steps& steps,
                                         const Options& options);

}  // namespace sim::sweep
