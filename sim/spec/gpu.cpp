#include "spec/gpu.hpp"

#include <fmt/format.h>

#include "spec/checker.hpp"

namespace sim::spec
{

Diagnostics validate(const GpuSpec& gpu, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.at_least("sms", gpu.sms, 1);
    if (gpu.peak.empty()) {
        check.error("peak", "names no precision", "write a dense rate such as bf16: 989 TFLOP/s");
    }
    for (const auto& [precision, rate] : gpu.peak) {
        check.positive(fmt::format("peak.{}", precision_name(precision)), rate, "989 TFLOP/s");
    }
    check.share("math_efficiency", gpu.math_efficiency);
    check.positive("memory", gpu.memory, "80 GiB");
    check.positive("memory_bandwidth", gpu.memory_bandwidth, "3.35 TB/s");
    check.share("memory_efficiency", gpu.memory_efficiency);
    check.not_negative("kernel_launch", gpu.kernel_launch);
    return diagnostics;
}

}  // namespace sim::spec
