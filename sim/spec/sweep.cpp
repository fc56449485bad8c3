#include "spec/sweep.hpp"

#include <set>

namespace sim::spec
{

std::vector<std::string> variable_names(const SweepSpec& sweep)
{
    std::vector<std::string> names;
    std::set<std::string> known;
    const auto add = [&](const std::string& name) {
        if (known.insert(name).second) {
            names.push_back(name);
        }
    };
    for (const auto& axis : sweep.axes) {
        add(axis.name);
    }
    for (const auto& axis : sweep.axes) {
        for (const auto& value : axis.values) {
            for (const auto& setting : value.settings) {
                add(setting.key);
            }
        }
    }
    return names;
}

const std::vector<Metric>& metrics()
{
    static const std::vector<Metric> all{
        {"step_time", "s"},
        {"tokens_per_second", "tokens/s"},
        {"tokens_per_second_per_gpu", "tokens/s"},
        {"mfu", "1"},
        {"hfu", "1"},
        {"gpus", "1"},
        {"gpu_memory", "B"},
        {"peak_power", "W"},
        {"energy_per_step", "J"},
        {"energy_per_token", "J"},
        {"cost_per_hour", "USD"},
        {"cost_per_million_tokens", "USD"},
    };
    return all;
}

}  // namespace sim::spec
