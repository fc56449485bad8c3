#include "results/economics.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "results/summary.hpp"

namespace sim::results
{
namespace
{

/// Of the span from idle to the limit that busy SMs and a busy HBM take (economics.md).
constexpr double kOfSms = 0.92;
constexpr double kOfHbm = 0.45;
constexpr double kSecondsPerHour = 3600;

const double kUnknown = std::nan("");

double utilisation(const Summary& summary, const std::string& resource)
{
    for (const auto& found : summary.resources) {
        if (found.name == resource) {
            return found.mean_utilisation;
        }
    }
    return 0;
}

/// Watts of the whole site while the job runs; NaN where the power of its parts is not known.
struct SitePower {
    double mean = kUnknown;
    double peak = kUnknown;
};

SitePower site_power(const spec::ClusterSpec& cluster, const Summary& summary)
{
    const auto& power = cluster.node.gpu.power;
    if (!power) {
        return {};
    }
    const auto gpus = static_cast<double>(spec::gpu_count(cluster));
    const double rest = cluster.nodes * cluster.costs.node_power.value_or(Power{}).base();
    const auto each = gpu_power(*power, utilisation(summary, "sm"), utilisation(summary, "hbm"));
    return {cluster.costs.pue * (gpus * each.base() + rest),
            cluster.costs.pue * (gpus * power->limit.base() + rest)};
}

}  // namespace

Power gpu_power(const spec::GpuPower& power, double sm, double hbm)
{
    const double busy = std::min(1.0, kOfSms * sm + kOfHbm * hbm);
    return power.idle + (power.limit - power.idle) * busy;
}

std::vector<double> metric_values(const spec::ExperimentSpec& experiment, const Point& point)
{
    std::vector<double> values(spec::metrics().size(), kUnknown);
    if (point.status != Status::done || point.runs.empty()) {
        return values;
    }
    const auto summary = summarise(point);
    const auto& cluster = experiment.cluster;
    const auto gpus = static_cast<double>(spec::placed_gpus(cluster));
    const auto power = site_power(cluster, summary);
    const double tokens = summary.tokens_per_second.mean;
    const double energy = power.mean * summary.step.mean;
    const auto& rent = cluster.costs.gpu_hour;
    const double hour = rent ? gpus * rent->base() : kUnknown;
    const double memory =
        point.footprint.empty()
            ? kUnknown
            : static_cast<double>(point.footprint[fullest_stage(point.footprint)].total().base());
    const std::map<std::string, double> known{
        {"step_time", summary.step.mean},
        {"tokens_per_second", tokens},
        {"tokens_per_second_per_gpu", summary.tokens_per_second_per_gpu.mean},
        {"mfu", summary.mfu.mean},
        {"hfu", summary.hfu.mean},
        {"gpus", gpus},
        {"gpu_memory", memory},
        {"peak_power", power.peak},
        {"energy_per_step", energy},
        {"energy_per_token", tokens > 0 ? power.mean / tokens : kUnknown},
        {"cost_per_hour", hour},
        {"cost_per_million_tokens", tokens > 0 ? hour / kSecondsPerHour / tokens * 1e6 : kUnknown},
    };
    for (std::size_t m = 0; m < values.size(); ++m) {
        values[m] = known.at(spec::metrics()[m].name);
    }
    return values;
}

double metric(const Point& point, const std::string& name)
{
    const auto& all = spec::metrics();
    for (std::size_t m = 0; m < point.metrics.size(); ++m) {
        if (all[m].name == name) {
            return point.metrics[m];
        }
    }
    return kUnknown;
}

}  // namespace sim::results
