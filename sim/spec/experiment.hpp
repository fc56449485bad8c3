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

}  // namespace sim::spec
