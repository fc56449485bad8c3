#include "spec/gpu.hpp"

#include <fmt/format.h>

#include <cmath>

#include "spec/checker.hpp"

namespace sim::spec
{

namespace
{

void check_math_efficiency(Checker& check, const GpuSpec& gpu)
{
    for (const auto& [precision, rate] : gpu.peak) {
        const auto name = precision_name(precision);
        const auto found = gpu.math_efficiency.find(precision);
        if (found == gpu.math_efficiency.end()) {
            check.error("math_efficiency", fmt::format("does not say what {} sustains", name),
                        fmt::format("add {}: 0.8, or write one number for all", name));
        } else {
            check.share(fmt::format("math_efficiency.{}", name), found->second);
        }
    }
    for (const auto& [precision, share] : gpu.math_efficiency) {
        if (gpu.peak.count(precision) == 0) {
            const auto name = precision_name(precision);
            check.error(fmt::format("math_efficiency.{}", name), "is a share of no rate",
                        fmt::format("give peak.{} or leave it out", name));
        }
    }
}

void check_pass(Checker& check, const std::string& name, const AttentionPass& pass)
{
    check.share(name + ".rate", pass.rate);
    check.not_negative(name + ".softmax", pass.softmax);
    check.not_negative(name + ".fill", pass.fill);
}

void check_hbm(Checker& check, const GpuSpec& gpu, Diagnostics& diagnostics, const std::string& key)
{
    constexpr double kRounding = 0.01;  // of sheets
    const auto& hbm = *gpu.hbm;
    const auto found = validate(hbm.device, key.empty() ? "hbm.device" : key + ".hbm.device");
    diagnostics.insert(diagnostics.end(), found.begin(), found.end());
    check.at_least("hbm.stacks", hbm.stacks, 1);
    check.share("hbm.read_factor", hbm.read_factor);
    const auto pins = pin_bandwidth(hbm.device) * hbm.stacks;
    if (hbm.stacks >= 1 && std::abs(gpu.memory_bandwidth / pins - 1) > kRounding) {
        check.error("memory_bandwidth",
                    fmt::format("is {}, but {} stacks give {}", to_text(gpu.memory_bandwidth),
                                hbm.stacks, to_text(pins)),
                    "one of them is wrong");
    }
}

}  // namespace

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
    check_math_efficiency(check, gpu);
    check.not_negative("gemm_fill", gpu.gemm_fill);
    for (const auto& [library, attention] : gpu.attention) {
        const auto name = fmt::format("attention.{}", attention_library_name(library));
        check_pass(check, name + ".forward", attention.forward);
        check_pass(check, name + ".backward", attention.backward);
    }
    check.positive("memory", gpu.memory, "80 GiB");
    check.positive("memory_bandwidth", gpu.memory_bandwidth, "3.35 TB/s");
    if (gpu.hbm) {
        check_hbm(check, gpu, diagnostics, key);
    } else {
        check.share("memory_efficiency", gpu.memory_efficiency);
    }
    check.not_negative("kernel_launch", gpu.kernel_launch);
    if (gpu.power) {
        check.positive("power.limit", gpu.power->limit, "700 W");
        check.not_negative("power.idle", gpu.power->idle);
        if (gpu.power->idle > gpu.power->limit) {
            check.error("power.idle", "is above the limit", "one of them is wrong");
        }
    }
    return diagnostics;
}

}  // namespace sim::spec
