#include "sweep/plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "sweep/execute.hpp"

namespace sim::sweep
{
namespace
{

constexpr std::size_t kMostPlans = 100'000;

/// How a key is called in a label: "TP 8".
std::string short_label(const std::string& key)
{
    const std::pair<const char*, const char*> names[] = {{"tensor", "TP"},
                                                         {"pipeline", "PP"},
                                                         {"context", "CP"},
                                                         {"expert", "EP"},
                                                         {"micro_batch", "MB"}};
    const auto last = spec::last_part(key);
    for (const auto& [name, label] : names) {
        if (last == name) {
            return std::string{label} + " ";
        }
    }
    return "";
}

std::vector<std::string> divisors(std::int64_t number, std::int64_t most)
{
    std::vector<std::string> found;
    for (std::int64_t d = 1; d <= std::min(number, most); ++d) {
        if (number % d == 0) {
            found.push_back(std::to_string(d));
        }
    }
    return found;
}

/// Values that `auto` stands for: those that could divide what they cut.
std::vector<std::string> automatic(const std::string& key, const spec::ExperimentSpec& base)
{
    constexpr std::int64_t kMostMicroBatch = 16;
    constexpr std::int64_t kMostContext = 64;
    const auto last = spec::last_part(key);
    const auto& model = base.workload.model;
    const auto gpus = spec::placed_gpus(base.cluster);
    if (last == "tensor") {
        return divisors(model.heads, base.cluster.node.gpus);
    }
    if (last == "pipeline") {
        return divisors(model.layers, gpus);
    }
    if (last == "context") {
        return divisors(gpus, kMostContext);
    }
    if (last == "expert") {
        return divisors(model.experts ? model.experts->count : 1, gpus);
    }
    if (last == "micro_batch") {
        return divisors(base.workload.global_batch, kMostMicroBatch);
    }
    return {"none", "selective", "full"};
}

/// The product of the lists, each combination as an axis's value.
std::vector<spec::AxisValue> combinations(const std::vector<spec::PlanKey>& keys,
                                          const spec::ExperimentSpec& base)
{
    std::vector<spec::AxisValue> all{{}};
    for (const auto& plan : keys) {
        const auto values = plan.values.empty() ? automatic(plan.key, base) : plan.values;
        std::vector<spec::AxisValue> longer;
        for (const auto& before : all) {
            for (const auto& value : values) {
                auto& next = longer.emplace_back(before);
                next.label += fmt::format("{}{}{}", next.label.empty() ? "" : " ",
                                          short_label(plan.key), value);
                next.settings.push_back({plan.key, value});
            }
        }
        all = std::move(longer);
        if (all.size() > kMostPlans) {
            refuse("plans", fmt::format("make more than {} combinations", kMostPlans),
                   "give lists instead of auto for some of them");
        }
    }
    return all;
}

/// Cheap: a degree that does not divide the machine needs no reading of files.
bool divides(const spec::AxisValue& value, std::int64_t gpus)
{
    std::int64_t ranks = 1;
    for (const auto& [key, text] : value.settings) {
        const auto last = spec::last_part(key);
        if (last == "tensor" || last == "pipeline" || last == "context") {
            ranks *= std::stoll(text);
        }
    }
    return gpus % ranks == 0;
}

}  // namespace

void add_plans(config::LoadedSweep& sweep)
{
    if (sweep.spec.plans.empty()) {
        return;
    }
    config::ParsedFiles files;
    const auto base = load_point(sweep, {}, files).spec;
    if (base.trace) {
        refuse("plans", "needs a model: what is recorded has its plan", "");
    }
    const auto gpus = spec::placed_gpus(base.cluster);
    spec::Axis axis{"plan", {}, {}};
    std::string reason = fmt::format("no product of the parallel degrees divides {} GPUs", gpus);
    for (auto& value : combinations(sweep.spec.plans, base)) {
        if (!divides(value, gpus)) {
            continue;
        }
        std::vector<config::Override> settings;
        for (const auto& [key, text] : value.settings) {
            settings.push_back({key, text});
        }
        try {
            static_cast<void>(load_point(sweep, settings, files));
            axis.values.push_back(std::move(value));
        } catch (const InputError& error) {
            reason = error.diagnostics().front().message;
        }
    }
    if (axis.values.empty()) {
        refuse("plans", fmt::format("none of the combinations is a plan: {}", reason),
               "write auto where any value will do");
    }
    sweep.spec.axes.push_back(std::move(axis));
}

}  // namespace sim::sweep
