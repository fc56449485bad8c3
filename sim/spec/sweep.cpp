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
        {"step_time", "s", "steady time of a training step"},
        {"tokens_per_second", "tokens/s", "tokens trained on, whole job"},
        {"tokens_per_second_per_gpu", "tokens/s", "tokens trained on, a GPU"},
        {"mfu", "1", "model FLOPs utilisation"},
        {"hfu", "1", "hardware FLOPs utilisation"},
        {"gpu_memory", "B", "in the fullest stage's GPUs"},
        {"gpus", "1", "GPUs of the job", true},
        {"peak_power", "W", "of the site with every GPU at its limit", true},
        {"energy_per_step", "J", "drawn by the site in a step", true},
        {"energy_per_token", "J", "drawn by the site for a token", true},
        {"cost_per_hour", "USD", "rent of the job's GPUs for an hour", true},
        {"cost_per_million_tokens", "USD", "rent while a million tokens are trained on", true},
    };
    return all;
}

std::vector<std::string> metric_names()
{
    std::vector<std::string> names;
    for (const auto& metric : metrics()) {
        names.push_back(metric.name);
    }
    return names;
}

std::string metric_unit(const std::string& metric)
{
    for (const auto& known : metrics()) {
        if (known.name == metric && known.unit != "1") {
            return " " + known.unit;
        }
    }
    return "";
}

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

}  // namespace sim::spec
