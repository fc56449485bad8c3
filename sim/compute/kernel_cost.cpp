#include "compute/kernel_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/contract.hpp"

namespace sim::compute
{

namespace
{

/// An output tile of a GEMM kernel; `rate` is what it reaches relative to the largest one, since a
/// smaller tile reads more operand bytes per multiplication.
struct Tile {
    std::int64_t rows;
    std::int64_t columns;
    double rate;
};
constexpr Tile kTiles[] = {
    {256, 128, 1.0}, {128, 256, 1.0}, {128, 128, 0.92},
    {128, 64, 0.80}, {64, 128, 0.80}, {64, 64, 0.65},
};

/// Filling and draining a tile's pipeline costs as long as this many bytes of one row of k.
constexpr double kPipelineBytes = 256;

/// Attention reaches math_efficiency * kAttention * d / (d + kHead) * n / (n + kKeys).
constexpr double kAttention = 0.79;
constexpr double kHead = 16;
constexpr double kKeys = 450;

const char* name(spec::Precision precision)
{
    switch (precision) {
        case spec::Precision::fp32:
            return "fp32";
        case spec::Precision::tf32:
            return "tf32";
        case spec::Precision::bf16:
            return "bf16";
        case spec::Precision::fp16:
            return "fp16";
        case spec::Precision::fp8:
            return "fp8";
        case spec::Precision::fp4:
            return "fp4";
    }
    return "?";
}

double sustained_rate(spec::Precision precision, const spec::GpuSpec& gpu)
{
    const auto found = gpu.peak.find(precision);
    if (found == gpu.peak.end()) {
        Diagnostic missing;
        missing.key = "gpu.peak";
        missing.message =
            fmt::format("{} has no {} rate, which the work needs", gpu.name, name(precision));
        missing.hint = fmt::format("give gpu.peak.{} or choose another precision", name(precision));
        throw InputError{{missing}};
    }
    return found->second.base() * gpu.math_efficiency;
}

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Time on all SMs: whole waves of tiles, with the tile shape that ends first.
double gemm_seconds(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    SIM_EXPECT(operation.m > 0 && operation.n > 0 && operation.k > 0 && operation.batch > 0);
    const double sm_rate = sustained_rate(operation.precision, gpu) / gpu.sms;
    const double depth = static_cast<double>(operation.k) +
                         kPipelineBytes / spec::element_bytes(operation.precision);
    double best = std::numeric_limits<double>::infinity();
    for (const auto& tile : kTiles) {
        const auto tiles = divide_up(operation.m, tile.rows) *
                           divide_up(operation.n, tile.columns) * operation.batch;
        const auto waves = static_cast<double>(divide_up(tiles, gpu.sms));
        const auto area = static_cast<double>(tile.rows * tile.columns);
        best = std::min(best, waves * 2 * area * depth / (sm_rate * tile.rate));
    }
    return best;
}

double attention_seconds(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    SIM_EXPECT(operation.n > 0 && operation.k > 0);
    const auto head = static_cast<double>(operation.k);
    const auto keys = static_cast<double>(operation.n);
    const double efficiency = kAttention * head / (head + kHead) * keys / (keys + kKeys);
    return operation.flops.base() / (sustained_rate(operation.precision, gpu) * efficiency);
}

double math_seconds(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    switch (operation.kind) {
        case spec::OperationKind::gemm:
            return gemm_seconds(operation, gpu);
        case spec::OperationKind::attention:
            return attention_seconds(operation, gpu);
        case spec::OperationKind::streaming:
            return 0;
    }
    return 0;
}

}  // namespace

KernelCost cost(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    SIM_EXPECT(gpu.sms > 0 && gpu.math_efficiency > 0 && gpu.memory_efficiency > 0);
    KernelCost cost;
    cost.amount = std::max(operation.bytes, 1.0);
    cost.hbm_per_byte = 1 / gpu.memory_efficiency;
    cost.launch = gpu.kernel_launch;

    const double math = math_seconds(operation, gpu);
    const double memory = cost.amount * cost.hbm_per_byte / gpu.memory_bandwidth.base();
    cost.sm_seconds_per_byte = math * gpu.sms / cost.amount;
    cost.bound = math > memory ? Bound::math : Bound::memory;
    cost.alone = cost.launch + Time::of(std::max(math, memory));
    return cost;
}

}  // namespace sim::compute
