#include "compute/kernel_cost.hpp"

#include <algorithm>

#include "compute/attention.hpp"
#include "compute/gemm.hpp"
#include "compute/peak.hpp"
#include "core/contract.hpp"

namespace sim::compute
{

namespace
{

/// At the efficiency of a large matrix product: what the FLOPs belong to is not known.
double counted_seconds(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    const auto efficiency = gpu.math_efficiency.find(operation.precision);
    const auto full = peak(operation.precision, gpu).base();
    SIM_EXPECT(efficiency != gpu.math_efficiency.end());
    return operation.flops.base() / (full * efficiency->second);
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
        case spec::OperationKind::counted:
            return counted_seconds(operation, gpu);
    }
    return 0;
}

}  // namespace

KernelCost cost(const spec::Operation& operation, const spec::GpuSpec& gpu)
{
    SIM_EXPECT(gpu.sms > 0 && gpu.memory_efficiency > 0);
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
