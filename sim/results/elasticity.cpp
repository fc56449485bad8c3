#include "results/elasticity.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "core/contract.hpp"

namespace sim::results
{
namespace
{

constexpr double kNudge = 1.02;
constexpr double kEndless = 1e6;
constexpr const char* kLatency = "latency";

std::optional<replay::ResourceKind> kind_called(const std::string& wanted)
{
    for (std::size_t kind = 0; kind < replay::kResourceKinds; ++kind) {
        if (wanted == name(static_cast<replay::ResourceKind>(kind))) {
            return static_cast<replay::ResourceKind>(kind);
        }
    }
    return std::nullopt;
}

/// So much more of the resource; of latencies that much less.
replay::Scaling more_of(const std::string& resource, double factor)
{
    replay::Scaling scaling;
    if (resource == kLatency) {
        scaling.latency = factor < kEndless ? 1 / factor : 0;
        return scaling;
    }
    const auto kind = kind_called(resource);
    SIM_EXPECT(kind.has_value());
    scaling.capacity[static_cast<std::size_t>(*kind)] = factor;
    return scaling;
}

Variable per_resource(const Elasticity& of, const std::string& name,
                      double ResourceElasticity::*number, const std::string& units,
                      const std::string& long_name)
{
    std::vector<double> values;
    for (const auto& resource : of.resources) {
        values.push_back(resource.*number);
    }
    return {name, {"resource"}, std::move(values), units, long_name};
}

}  // namespace

Elasticity elasticity(const StepOf& step_of, const std::vector<std::string>& resources,
                      const Progress& progress)
{
    auto all = resources;
    all.emplace_back(kLatency);
    const std::size_t simulations = 2 + 4 * all.size();
    std::size_t done = 0;
    const auto ask = [&](const replay::Scaling& scaling) {
        const double step = step_of(scaling);
        progress(++done, simulations);
        return step;
    };
    Elasticity found;
    found.step = ask({});
    replay::Scaling free;
    free.free_communication = true;
    found.free_communication = ask(free);
    for (const auto& resource : all) {
        const double less = ask(more_of(resource, 1 / kNudge));
        const double more = ask(more_of(resource, kNudge));
        found.resources.push_back({resource, std::log(more / less) / (2 * std::log(kNudge)),
                                   ask(more_of(resource, 2)), ask(more_of(resource, kEndless))});
    }
    found.explanation = explain(found);
    return found;
}

Group elasticity_group(const Elasticity& of)
{
    std::vector<std::string> names;
    for (const auto& resource : of.resources) {
        names.push_back(resource.resource);
    }
    Group group{"elasticity", {}};
    auto& v = group.variables;
    v.push_back({"resource", {"resource"}, names, "", "class of resources, or latency"});
    v.push_back(
        per_resource(of, "slope", &ResourceElasticity::slope, "1", "d ln(step) / d ln(capacity)"));
    v.push_back(per_resource(of, "step_doubled", &ResourceElasticity::doubled, "s",
                             "step with twice the capacity, or half the latencies"));
    v.push_back(per_resource(of, "step_endless", &ResourceElasticity::endless, "s",
                             "step with a million times the capacity, or no latency"));
    v.push_back({"step", {}, std::vector{of.step}, "s", "step as it is"});
    v.push_back({"step_free_communication",
                 {},
                 std::vector{of.free_communication},
                 "s",
                 "step when no collective moves anything"});
    v.push_back({"explanation", {}, std::vector{of.explanation}, "", "the same in words"});
    return group;
}

}  // namespace sim::results
