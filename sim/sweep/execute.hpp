#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/load.hpp"
#include "replay/run.hpp"
#include "results/result_set.hpp"
#include "spec/experiment.hpp"
#include "sweep/crew.hpp"
#include "sweep/pool.hpp"
#include "sweep/space.hpp"
#include "sweep/store.hpp"

namespace sim::sweep
{

/// How a point becomes numbers; a test gives its own.
struct Steps {
    std::function<spec::ExperimentSpec(const std::vector<config::Override>&)> load;
    std::function<replay::Result(const spec::ExperimentSpec&)> simulate;
};

/// The experiment a point is: its base with what is common to all points, then its own settings.
[[nodiscard]] config::LoadedExperiment load_point(const config::LoadedSweep& sweep,
                                                  std::vector<config::Override> settings,
                                                  config::ParsedFiles& files);

/// Reads the sweep's bases and simulates with these options.
[[nodiscard]] Steps real_steps(const config::LoadedSweep& sweep, const replay::Options& options);

/// True when another seed may give another answer: paths are hashed, or ranks placed at random.
[[nodiscard]] bool depends_on_seed(const spec::ExperimentSpec& experiment);

struct PointOptions {
    int seeds = 1;
    bool ignore_memory = false;  ///< simulate what does not fit
};

/// One experiment as a point: checked for memory, then simulated with `seeds` seeds from its own
/// on (one when the answer does not depend on it). Lets every exception through.
[[nodiscard]] results::Point simulate_point(const spec::ExperimentSpec& experiment,
                                            const Steps& steps, const PointOptions& options);

/// The same for one point of a sweep; what is wrong with it becomes its message.
[[nodiscard]] results::Point attempt(const std::vector<config::Override>& settings,
                                     const Steps& steps, const PointOptions& options);

/// How far a sweep is.
struct Progress {
    std::size_t done = 0;  ///< this time, with those that failed
    std::size_t failed = 0;
    std::size_t kept = 0;  ///< from an earlier run
    std::size_t points = 0;
    double best = 0;  ///< of the first goal; NaN before there is one
};

/// Which points of the list are this process's, of several that share a store: every `parts`-th.
struct Part {
    std::size_t part = 0;
    std::size_t parts = 1;
};

struct Options {
    PointOptions point;
    int workers = 1;
    Limits limits;
    Part part;
    std::function<void(const Progress&)> progress = [](const Progress&) {};
    /// What a point is worth, less is better; NaN when nothing is looked for.
    std::function<double(const results::Point&)> goal = [](const results::Point&) {
        return std::nan("");
    };
    std::function<std::unique_ptr<Crew>(std::vector<std::size_t>)> crew = lone_crew;
};

/// How the work ended.
struct Outcome {
    int signal = 0;            ///< that stopped it; 0: none
    std::string cannot_write;  ///< why it stopped; empty: it did not
    [[nodiscard]] bool whole() const { return signal == 0 && cannot_write.empty(); }
};

/// A point of a plan and what it sets beyond its axes.
struct Task {
    std::size_t point = 0;
    std::uint64_t id = 0;
    std::vector<config::Override> extra;
};

/// One for each point, known by what it sets.
[[nodiscard]] std::vector<Task> tasks_of(const Space& space,
                                         const std::vector<std::size_t>& points);

/// Simulates the tasks whose points the store does not hold, in worker processes, and records each
/// as it ends. SIGINT and SIGTERM drop what runs and stop. Under mpirun the ranks share the work.
[[nodiscard]] Outcome execute(const Space& space, const std::vector<Task>& tasks,
                              const Store& store, const Steps& steps, const Options& options);

/// Throws InputError when an axis takes the name of something results have: before hours of work.
void check_axis_names(const spec::SweepSpec& sweep);

/// Every point of the grid as the store knows it: "not simulated" where it does not. Provenance is
/// the caller's.
[[nodiscard]] results::ResultSet collect(const config::LoadedSweep& sweep, const Space& space,
                                         const std::vector<Task>& tasks, const Store& store);

}  // namespace sim::sweep
