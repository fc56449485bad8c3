#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "config/load.hpp"
#include "replay/run.hpp"

namespace sim::replay
{
namespace
{

spec::ExperimentSpec llama405b(const std::vector<config::Override>& overrides)
{
    return config::load_experiment(WEFTSIM_SOURCE_DIR "/configs/llama3-405b-16384-h100.yaml",
                                   overrides)
        .spec;
}

/// Pipelines of 16 nodes; so many leaves need a third tier.
std::vector<config::Override> replicas(int data)
{
    const auto nodes = std::to_string(16 * data);
    return {
        {"cluster.nodes", nodes},
        {"workload.global_batch", nodes},
        {"cluster.fabric.tiers", "3"},
        {"cluster.fabric.core.extends", WEFTSIM_SOURCE_DIR "/configs/hardware/switch/51.2t.yaml"}};
}

void run(benchmark::State& state, const std::vector<config::Override>& overrides, Fold fold)
{
    double activities = 0;
    for (auto _ : state) {
        const auto result = replay::run(llama405b(overrides), {.fold = fold});
        activities += static_cast<double>(result.activities);
        state.SetLabel(result.folding);
    }
    state.counters["activities/s"] = benchmark::Counter(activities, benchmark::Counter::kIsRate);
}

void Llama405bOn16384Folded(benchmark::State& state) { run(state, {}, Fold::automatic); }
/// Every stage fills its blocks of 64 nodes.
void Llama405bOn98304Folded(benchmark::State& state) { run(state, replicas(768), Fold::automatic); }
/// Stages begin and end inside blocks.
void Llama405bOn100352Folded(benchmark::State& state)
{
    run(state, replicas(784), Fold::automatic);
}
void Llama405bOn16384Whole(benchmark::State& state) { run(state, {}, Fold::off); }
void Llama405bOn16384HashedWithOneSlowGpu(benchmark::State& state)
{
    run(state,
        {{"cluster.fabric.routing", "ecmp"},
         {"cluster.events", "[{ resource: node77/gpu3/sm, at: 0 s, capacity: 95 % }]"}},
        Fold::automatic);
}

// The whole runs take minutes: once each.
BENCHMARK(Llama405bOn16384Folded)->Unit(benchmark::kSecond);
BENCHMARK(Llama405bOn98304Folded)->Unit(benchmark::kSecond);
BENCHMARK(Llama405bOn100352Folded)->Unit(benchmark::kSecond);
BENCHMARK(Llama405bOn16384Whole)->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK(Llama405bOn16384HashedWithOneSlowGpu)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace sim::replay
