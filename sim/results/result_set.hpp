#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "replay/run.hpp"
#include "results/elasticity.hpp"
#include "spec/experiment.hpp"
#include "spec/sweep.hpp"
#include "workload/footprint.hpp"

namespace sim::results
{

/// A run of a point with one seed.
struct SeedRun {
    std::uint64_t seed = 0;
    replay::Result result;
};

/// `left_out`: by a rule of the sweep, or by its search; nobody asked for it.
enum class Status { done, does_not_fit, failed, left_out };
[[nodiscard]] const char* name(Status status);

/// One experiment and what came of it.
struct Point {
    Status status = Status::done;
    std::string message;                         ///< why it is not done; empty when it is
    std::vector<SeedRun> runs;                   ///< empty unless done
    std::vector<workload::Footprint> footprint;  ///< per stage; empty when it could not be read
    Bytes gpu_memory{};                          ///< what one GPU has
    std::vector<double> metrics;                 ///< as spec::metrics(); empty: not asked for
};

/// Which points an objective prefers.
struct Ranking {
    std::vector<std::string> goals;
    std::vector<bool> meets;          ///< its constraints; false for what is not done
    std::vector<bool> front;          ///< no other point is better in every goal
    std::optional<std::size_t> best;  ///< by the first goal
};

/// Where the numbers come from.
struct Provenance {
    std::string engine;
    std::vector<std::string> engine_options;
    std::uint64_t seed = 0;
    std::string input_text;  ///< every file read and every override, verbatim
};

enum class Kind { run, sweep };

/// What a file holds. A run is a sweep without axes: one point.
struct ResultSet {
    Kind kind = Kind::run;
    std::vector<spec::Axis> axes;
    std::vector<Point> points;  ///< in grid order, the first axis slowest
    Provenance provenance;
    std::optional<Ranking> ranking;
    std::optional<Elasticity> elasticity{};  ///< of a run that was explained
};

}  // namespace sim::results
