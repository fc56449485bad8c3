#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/cluster.hpp"
#include "spec/fidelity.hpp"
#include "spec/trace.hpp"
#include "spec/workload.hpp"

namespace sim::spec
{

/// One run: a machine, its work, and how to simulate it.
struct ExperimentSpec {
    std::string name{};
    ClusterSpec cluster{};
    WorkloadSpec workload{};
    std::optional<TraceSpec> trace{};  ///< then `workload` says nothing
    FidelitySpec fidelity{};
    std::uint64_t seed = 0;
    int steps = 2;  ///< simulated; the steady period is the last one
};

[[nodiscard]] Diagnostics validate(const ExperimentSpec& experiment);

/// `key` takes `text` at this point of the sweep.
struct Setting {
    std::string key{};
    std::string text{};
};

struct AxisValue {
    std::string label{};
    std::vector<Setting> settings{};
};

struct Axis {
    std::string name{};
    std::vector<AxisValue> values{};
};

/// A grid over axes, each point an experiment.
struct SweepSpec {
    std::string name{};
    std::string base{};  ///< path of the experiment file
    std::vector<Axis> axes{};
    int seeds = 1;         ///< runs a point whose answer depends on the seed gets
    std::string output{};  ///< path of the result set; may be empty
};

}  // namespace sim::spec
