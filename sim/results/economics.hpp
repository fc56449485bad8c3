#pragma once

#include <string>
#include <vector>

#include "results/result_set.hpp"
#include "spec/experiment.hpp"

namespace sim::results
{

/// What a GPU draws on average while its SMs and its HBM are busy so much of the time
/// (sim/results/economics.md).
[[nodiscard]] Power gpu_power(const spec::GpuPower& power, double sm, double hbm);

/// Every metric of spec::metrics(), in that order, mean over the seeds. NaN where the experiment
/// does not say what it depends on, and where the point is not done.
[[nodiscard]] std::vector<double> metric_values(const spec::ExperimentSpec& experiment,
                                                const Point& point);

/// Of a point that carries its metrics; NaN when it does not.
[[nodiscard]] double metric(const Point& point, const std::string& name);

}  // namespace sim::results
