#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdint>

#include "core/literals.hpp"
#include "fabric/description.hpp"
#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim
{
namespace
{

/// 65,536 GPUs with a 400 Gbps NIC each, eight a node: three tiers of switches of 64 ports hold
/// exactly 64^3 / 4 of them.
spec::ClusterSpec large_fat_tree()
{
    using namespace literals;
    const spec::SwitchSpec device{
        .name = "64x400G", .capacity = 25.6_Tbps, .max_ports = 64, .latency = 150_ns};
    spec::ClusterSpec cluster;
    cluster.nodes = 8192;
    cluster.node.gpus = 8;
    cluster.node.nics = 8;
    cluster.node.nic_of_gpu = spec::spread_evenly(8, 8);
    cluster.node.nvlink = {.bandwidth = 450_GBps, .efficiency = 0.82, .latency = 2_us};
    cluster.node.pcie = {.generation = 5, .lanes = 16, .efficiency = 0.87, .latency = 150_ns};
    cluster.node.nic = {.name = "NIC", .bandwidth = 400_Gbps, .efficiency = 0.96, .latency = 4_us};
    spec::FatTreeSpec tree;
    tree.radix = 64;
    tree.clos.tiers = 3;
    tree.clos.leaf = device;
    tree.clos.spine = device;
    tree.clos.core = device;
    cluster.fabric.network = tree;
    cluster.fabric.cable_latency = 100_ns;
    return cluster;
}

double peak_gigabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e9;
}

/// Everything a run needs before its first route: graph and router.
void build_65536(benchmark::State& state)
{
    const auto cluster = large_fat_tree();
    for (auto _ : state) {
        const auto fabric = fabric::build(cluster);
        const fabric::Router router{fabric, cluster.fabric, 1};
        benchmark::DoNotOptimize(&router);
        state.counters["GPUs"] = static_cast<double>(fabric.gpus.size());
        state.counters["links"] = static_cast<double>(fabric.graph.links().size());
    }
    state.counters["peak_GB"] = peak_gigabytes();
}
BENCHMARK(build_65536)->Unit(benchmark::kSecond)->Iterations(1);

/// New pairs all the time: nothing is found in the router's memory.
void route_65536(benchmark::State& state)
{
    const auto cluster = large_fat_tree();
    const auto fabric = fabric::build(cluster);
    const fabric::Router router{fabric, cluster.fabric, 1};
    std::uint64_t pair = 0;
    for (auto _ : state) {
        const auto from = static_cast<std::size_t>(pair * 7919 % 65536);
        const auto to = static_cast<std::size_t>((pair * 7919 + 32768 + pair % 1000) % 65536);
        benchmark::DoNotOptimize(router.route(GpuId{from}, GpuId{to}, 0));
        ++pair;
    }
    state.counters["peak_GB"] = peak_gigabytes();
}
BENCHMARK(route_65536)->Unit(benchmark::kMicrosecond)->Iterations(2000);

void describe_65536(benchmark::State& state)
{
    const auto cluster = large_fat_tree();
    const auto fabric = fabric::build(cluster);
    for (auto _ : state) {
        benchmark::DoNotOptimize(fabric::describe(cluster, fabric).bisection);
    }
}
BENCHMARK(describe_65536)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace sim
