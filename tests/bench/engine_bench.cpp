#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/engine_work.hpp"
#include "engine/engine.hpp"
#include "engine/isolated.hpp"

namespace
{

using bench::Outcome;
using sim::engine::Kind;

struct Timed {
    double seconds;
    Outcome outcome;
    [[nodiscard]] double activities_per_second() const
    {
        return static_cast<double>(outcome.activities) / seconds;
    }
};

/// Of this process, not of the wall: other processes of the machine do not count.
double cpu_seconds()
{
    timespec spent{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

/// Building the engine and its resources is timed too.
template <class Work>
Timed time(Kind kind, const Work& work)
{
    const double begin = cpu_seconds();
    auto engine = sim::engine::make_engine(kind);
    const auto outcome = bench::play(*engine, work);
    return {cpu_seconds() - begin, outcome};
}

/// The child times itself: starting it is not SimGrid's doing.
template <class Work>
Timed time_simgrid(const Work& work)
{
    const auto bytes = sim::engine::in_child([&work] {
        const auto timed = time(Kind::simgrid, work);
        return std::string(reinterpret_cast<const char*>(&timed), sizeof timed);
    });
    Timed timed{};
    std::memcpy(&timed, bytes.data(), sizeof timed);
    return timed;
}

template <class Work>
Timed median_of_native(const Work& work)
{
    std::array<Timed, 5> runs;
    for (auto& run : runs) {
        run = time(Kind::native, work);
    }
    std::sort(runs.begin(), runs.end(),
              [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; });
    return runs[runs.size() / 2];
}

template <class Work>
void against_simgrid(benchmark::State& state, const Work& work)
{
    for (auto _ : state) {
        const auto native = median_of_native(work);
        const auto simgrid = time_simgrid(work);
        if (!(std::abs(native.outcome.end / simgrid.outcome.end - 1) < 1e-9)) {
            state.SkipWithError("the engines disagree on the end");
        }
        state.SetIterationTime(native.seconds);
        state.counters["activities"] = static_cast<double>(native.outcome.activities);
        state.counters["native/s"] = native.activities_per_second();
        state.counters["simgrid/s"] = simgrid.activities_per_second();
        state.counters["ratio"] = simgrid.seconds / native.seconds;
    }
}

template <class Work>
void alone(benchmark::State& state, const Work& work)
{
    for (auto _ : state) {
        const auto native = time(Kind::native, work);
        state.SetIterationTime(native.seconds);
        state.counters["native/s"] = native.activities_per_second();
    }
}

template <class Work>
void add_row(const std::string& name, const Work& work)
{
    benchmark::RegisterBenchmark(("engine/" + name).c_str(),
                                 [work](benchmark::State& state) { against_simgrid(state, work); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("engine_alone/" + name).c_str(),
                                 [work](benchmark::State& state) { alone(state, work); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

const bool kRows = [] {
    add_row("ring of 512, synchronous", bench::Ring{.ranks = 512});
    add_row("ring of 512, synchronous, with latency", bench::Ring{.ranks = 512, .latency = 1e-6});
    add_row("ring of 128, every link another speed",
            bench::Ring{.ranks = 128, .equal_links = false});
    add_row("ring of 512, synchronous, with memory", bench::Ring{.ranks = 512, .memory = true});
    add_row("ring of 128, every link another speed, with memory",
            bench::Ring{.ranks = 128, .equal_links = false, .memory = true});
    add_row("permutation of 4096 on a 3-level fat-tree, ECMP", bench::Permutation{.radix = 16});
    add_row("training on 1024 GPUs, asynchronous",
            bench::Training{.nodes = 128, .layers = 8, .layers_per_bucket = 2});
    return true;
}();

}  // namespace
