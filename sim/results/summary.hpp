#pragma once

#include <array>
#include <string>
#include <vector>

#include "results/result_set.hpp"

namespace sim::results
{

/// Of one number over the seeds. Percentiles interpolate linearly between the ordered values: the
/// q-th of n lies at (n - 1) q.
struct Statistics {
    double mean = 0;
    double p5 = 0;
    double p95 = 0;
    double min = 0;
    double max = 0;
};

/// `values` must not be empty.
[[nodiscard]] Statistics statistics(std::vector<double> values);

/// Communication of one purpose: mean over ranks and seeds.
struct PurposeSummary {
    std::string purpose;
    double exposed = 0;  ///< seconds
    double hidden = 0;   ///< seconds
    double bytes_sent = 0;
    double nic_bytes_sent = 0;
    std::string binding;
};

/// A point in few numbers: mean over ranks (each rank counts once), then over seeds.
struct Summary {
    std::size_t seeds = 0;
    Statistics step;  ///< seconds
    Statistics tokens_per_second;
    Statistics tokens_per_second_per_gpu;
    Statistics model_flops_per_second_per_gpu;
    Statistics mfu;
    Statistics hfu;
    std::array<double, replay::kEntries> ledger{};  ///< seconds; sums to step.mean
    std::vector<PurposeSummary> communication;
    std::vector<replay::ResourceClass> resources;
    std::string binding;            ///< the class that binds most seeds
    std::uint64_t instances = 0;    ///< simulated: the most of all seeds
    std::uint64_t activities = 0;   ///< of all seeds
    std::uint64_t fingerprint = 0;  ///< of all seeds, in order
};

/// Between the two nearest values, linearly; `sorted` ascending and not empty, q from 0 to 1.
[[nodiscard]] double percentile(const std::vector<double>& sorted, double q);

/// The point must be done.
[[nodiscard]] Summary summarise(const Point& point);

/// The stage that needs most memory. `footprint` must not be empty.
[[nodiscard]] std::size_t fullest_stage(const std::vector<workload::Footprint>& footprint);

/// "data" -> "data-parallel", "pipeline" -> "pipeline".
[[nodiscard]] std::string adjective(const std::string& purpose);

}  // namespace sim::results
