// The bank model's speed on one 16-channel HBM3 stack, and that of deriving a class table.

#include <benchmark/benchmark.h>

#include "memory/access_class.hpp"
#include "memory/devices.hpp"
#include "memory/dram_system.hpp"

namespace
{

using namespace sim;

constexpr std::int64_t kRequests = 1'000'000;

void saturate(benchmark::State& state, const char* pattern)
{
    const memory::DramSystem system{memory::hbm3(), 1};
    const auto accesses = memory::pattern_by_name(pattern);
    for (auto _ : state) {
        benchmark::DoNotOptimize(system.saturate(accesses, {0, kRequests}));
    }
    state.SetItemsProcessed(state.iterations() * kRequests);
}

void sequential(benchmark::State& state) { saturate(state, "read"); }
void triad(benchmark::State& state) { saturate(state, "triad"); }
void random_sectors(benchmark::State& state) { saturate(state, "random-32"); }

void all_classes(benchmark::State& state)
{
    for (auto _ : state) {
        benchmark::DoNotOptimize(memory::derive_classes(memory::hbm3(), 1));
    }
}

}  // namespace

BENCHMARK(sequential)->Unit(benchmark::kMillisecond);
BENCHMARK(triad)->Unit(benchmark::kMillisecond);
BENCHMARK(random_sectors)->Unit(benchmark::kMillisecond);
BENCHMARK(all_classes)->Unit(benchmark::kMillisecond);
