#include "spec/gpu.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "spec/example.hpp"

namespace sim::spec
{
namespace
{

using namespace sim::literals;

TEST(ValidateGpu, ARightOneHasNothingToSay)
{
    EXPECT_EQ(told(validate(example_gpu(), "cluster.gpu")), "");
}

TEST(ValidateGpu, EveryNumberOfAnEmptyOneIsNamed)
{
    // kernel_launch may be 0.
    EXPECT_EQ(told(validate(GpuSpec{}, "gpu")),
              "error: gpu.sms: is 0, but must be at least 1\n"
              "error: gpu.peak: names no precision | write a dense rate such as bf16: 989 TFLOP/s\n"
              "error: gpu.memory: is 0 B, but must be above 0 | write a value such as 80 GiB\n"
              "error: gpu.memory_bandwidth: is 0 B/s, but must be above 0 | write a value such as "
              "3.35 TB/s\n"
              "error: gpu.memory_efficiency: is 0, but must be above 0 and at most 1");
}

TEST(ValidateGpu, APeakIsNamedByItsPrecision)
{
    auto gpu = example_gpu();
    gpu.peak[Precision::fp8] = FlopRate{};
    gpu.math_efficiency[Precision::fp8] = 1;
    EXPECT_EQ(told(validate(gpu, "gpu")),
              "error: gpu.peak.fp8: is 0 FLOP/s, but must be above 0 | write a value such as 989 "
              "TFLOP/s");
}

TEST(ValidateGpu, EfficiencyIsAtMostOneAndOneIsAllowed)
{
    auto gpu = example_gpu();
    auto& share = gpu.math_efficiency[Precision::bf16];
    share = 1;
    EXPECT_EQ(told(validate(gpu, "gpu")), "");
    share = 1.01;
    EXPECT_EQ(told(validate(gpu, "gpu")),
              "error: gpu.math_efficiency.bf16: is 1.01, but must be above 0 and at most 1");
    share = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(has_errors(validate(gpu, "gpu")));
}

TEST(ValidateGpu, EveryRateHasAnEfficiencyAndEveryEfficiencyARate)
{
    auto gpu = example_gpu();
    gpu.math_efficiency = {{Precision::fp8, 0.7}};
    EXPECT_EQ(told(validate(gpu, "gpu")),
              "error: gpu.math_efficiency: does not say what bf16 sustains | add bf16: 0.8, or "
              "write one number for all\n"
              "error: gpu.math_efficiency.fp8: is a share of no rate | give peak.fp8 or leave it "
              "out");
}

TEST(ValidateGpu, AnAttentionKernelIsNeverFasterThanTheDataSheet)
{
    auto gpu = example_gpu();
    gpu.attention[AttentionLibrary::flash_2].backward = {1.2, -1, 0};
    EXPECT_EQ(told(validate(gpu, "gpu")),
              "error: gpu.attention.flash_2.backward.rate: is 1.2, but must be above 0 and at most "
              "1\n"
              "error: gpu.attention.flash_2.backward.softmax: is -1, but must not be below 0");
}

TEST(ValidateGpu, NegativeAndInfiniteQuantitiesAreRefused)
{
    auto gpu = example_gpu();
    gpu.kernel_launch = 0_us - 1_us;
    EXPECT_EQ(told(validate(gpu, "gpu")),
              "error: gpu.kernel_launch: is -1 us, but must not be below 0");
    gpu.kernel_launch = Time{};
    gpu.memory_bandwidth = Bandwidth::of(std::numeric_limits<double>::infinity());
    EXPECT_TRUE(has_errors(validate(gpu, "gpu")));
}

TEST(PrecisionName, IsTheUsersWord)
{
    EXPECT_EQ(precision_name(Precision::bf16), "bf16");
    EXPECT_EQ(precision_name(Precision::fp32), "fp32");
    EXPECT_EQ(element_bytes(Precision::tf32), 4) << "stored as fp32";
    EXPECT_EQ(element_bytes(Precision::fp4), 0.5);
}

}  // namespace
}  // namespace sim::spec
