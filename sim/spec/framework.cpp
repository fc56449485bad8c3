#include "spec/framework.hpp"

#include <fmt/format.h>

namespace sim::spec
{

namespace
{

void scale(AttentionPass& pass, double factor) { pass.rate *= factor; }

void check_profile(Checker& check, const std::string& gpu, const KernelProfile& profile)
{
    const auto key = "framework.kernels." + gpu + ".";
    for (const auto& [precision, share] : profile.gemm) {
        check.share(key + std::string{precision_name(precision)}, share);
    }
    check.positive(key + "attention", profile.attention, "1");
    check.share(key + "memory", profile.memory);
}

}  // namespace

GpuSpec as_used_by(const FrameworkSpec& framework, GpuSpec gpu)
{
    const auto found = framework.kernels.find(gpu.name);
    if (found == framework.kernels.end()) {
        return gpu;
    }
    const auto& profile = found->second;
    for (const auto& [precision, share] : profile.gemm) {
        if (auto known = gpu.math_efficiency.find(precision); known != gpu.math_efficiency.end()) {
            known->second *= share;
        }
    }
    for (auto& [library, attention] : gpu.attention) {
        scale(attention.forward, profile.attention);
        scale(attention.backward, profile.attention);
    }
    gpu.memory_efficiency *= profile.memory;
    return gpu;
}

void check_framework(Checker& check, const FrameworkSpec& framework)
{
    check.positive("framework.gradient_bucket", framework.gradient_bucket, "200 MB");
    check.not_negative("framework.optimizer_bytes_per_parameter",
                       framework.optimizer_bytes_per_parameter);
    check.not_negative("framework.step_bytes_per_parameter", framework.step_bytes_per_parameter);
    check.not_negative("framework.optimizer_state_bytes", framework.optimizer_state_bytes);
    check.not_negative("framework.transfer_restart", framework.transfer_restart);
    check.not_negative("framework.issue_forward", framework.issue_forward);
    check.not_negative("framework.issue_backward", framework.issue_backward);
    check.not_negative("framework.issue_experts", framework.issue_experts);
    check.not_negative("framework.issue_each_expert", framework.issue_each_expert);
    check.not_negative("framework.issue_collective", framework.issue_collective);
    if (framework.copies_per) {
        check.at_least("framework.copies_per", *framework.copies_per, 1);
    }
    check.not_negative("framework.step_overhead", framework.step_overhead);
    check.not_negative("framework.reserved", framework.reserved);
    for (const auto& [gpu, profile] : framework.kernels) {
        check_profile(check, gpu, profile);
    }
}

}  // namespace sim::spec
