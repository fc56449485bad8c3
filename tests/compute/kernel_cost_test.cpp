#include "compute/kernel_cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sim::compute
{
namespace
{

/// 132 SMs of 5 TFLOP/s sustained each: 1320 TFLOP/s peak at one half; 2 TB/s at four fifths.
spec::GpuSpec round_gpu()
{
    spec::GpuSpec gpu;
    gpu.name = "round";
    gpu.sms = 132;
    gpu.peak[spec::Precision::bf16] = FlopRate::of(1320e12);
    gpu.math_efficiency = 0.5;
    gpu.memory_bandwidth = Bandwidth::of(2e12);
    gpu.memory_efficiency = 0.8;
    gpu.kernel_launch = Time::of(1e-6);
    return gpu;
}

spec::Operation gemm(std::int64_t m, std::int64_t n, std::int64_t k)
{
    spec::Operation operation;
    operation.kind = spec::OperationKind::gemm;
    operation.m = m;
    operation.n = n;
    operation.k = k;
    operation.flops =
        Flops::of(2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
    operation.bytes = 2.0 * static_cast<double>(m * k + k * n + m * n);
    return operation;
}

double sm_seconds(const KernelCost& cost, const spec::GpuSpec& gpu)
{
    return cost.amount * cost.sm_seconds_per_byte / gpu.sms;
}

TEST(KernelCost, OneTileRunsOnOneSmHoweverManyThereAre)
{
    // A 64 x 64 tile, k = 1024 plus 128 for the pipeline (256 bytes of bf16), at 0.65 of 5 TFLOP/s:
    // 2 * 64 * 64 * 1152 / 3.25e12 = 2.9038e-6 s.
    const auto cost = compute::cost(gemm(64, 64, 1024), round_gpu());
    EXPECT_NEAR(sm_seconds(cost, round_gpu()), 2 * 64 * 64 * 1152 / 3.25e12, 1e-15);
}

TEST(KernelCost, OneTileMoreThanAWaveTakesASecondWave)
{
    // 132 tiles of 256 x 128 fill the GPU once: 2 * 256 * 128 * (8192 + 128) / 5e12 s.
    const double wave = 2.0 * 256 * 128 * 8320 / 5e12;
    const auto full = compute::cost(gemm(256 * 12, 128 * 11, 8192), round_gpu());
    EXPECT_NEAR(sm_seconds(full, round_gpu()), wave, 1e-12);

    // 144 of them need two waves. Smaller tiles do better: 288 of 128 x 128 take three waves of
    // half the work at 0.92, i.e. 1.630; 576 of 128 x 64 take five quarters at 0.80, i.e. 1.5625;
    // 1152 of 64 x 64 take nine eighths at 0.65, i.e. 1.731.
    const auto spilled = compute::cost(gemm(256 * 12, 128 * 12, 8192), round_gpu());
    EXPECT_NEAR(sm_seconds(spilled, round_gpu()), 1.5625 * wave, 1e-12);
}

TEST(KernelCost, LargeGemmsApproachTheSustainedRate)
{
    // 66 waves of whole tiles: only the pipeline's 128 of k remain, 128 / 65664 = 0.2 %.
    const auto operation = gemm(256 * 66, 128 * 132, 65536);
    const auto cost = compute::cost(operation, round_gpu());
    const double rate = operation.flops.base() / sm_seconds(cost, round_gpu());
    EXPECT_NEAR(rate / 660e12, 65536.0 / 65664, 1e-12);
    EXPECT_EQ(cost.bound, Bound::math);
}

TEST(KernelCost, ShallowGemmsPayForFillingTheirPipeline)
{
    // k = 128 is as deep as the pipeline: half the rate.
    const auto operation = gemm(256 * 66, 128 * 132, 128);
    const double seconds = sm_seconds(compute::cost(operation, round_gpu()), round_gpu());
    EXPECT_NEAR(operation.flops.base() / seconds / 660e12, 0.5, 1e-12);
}

TEST(KernelCost, ABatchFillsTheGpuAsMoreTilesDo)
{
    auto batch = gemm(256, 128, 4096);
    batch.batch = 132;
    const auto one = compute::cost(gemm(256 * 132, 128, 4096), round_gpu());
    const auto many = compute::cost(batch, round_gpu());
    EXPECT_NEAR(sm_seconds(one, round_gpu()), sm_seconds(many, round_gpu()), 1e-15);
}

TEST(KernelCost, StreamingTakesItsBytesAtTheAchievedBandwidth)
{
    // 1.6 GB at 0.8 * 2 TB/s is 1 ms, plus 1 us of launch; it asks nothing of the SMs.
    spec::Operation operation;
    operation.bytes = 1.6e9;
    const auto cost = compute::cost(operation, round_gpu());
    EXPECT_DOUBLE_EQ(cost.alone.base(), 1.001e-3);
    EXPECT_DOUBLE_EQ(cost.hbm_per_byte, 1.25);
    EXPECT_EQ(cost.sm_seconds_per_byte, 0);
    EXPECT_EQ(cost.bound, Bound::memory);
}

TEST(KernelCost, AKernelWithoutBytesStillMovesOne)
{
    EXPECT_EQ(compute::cost(spec::Operation{}, round_gpu()).amount, 1);
}

TEST(KernelCost, AVectorTimesAMatrixIsBoundByMemory)
{
    // One row of 8192 x 8192: 134 MB of weights take 84 us, one wave of tiles far less.
    const auto operation = gemm(1, 8192, 8192);
    const auto cost = compute::cost(operation, round_gpu());
    EXPECT_EQ(cost.bound, Bound::memory);
    EXPECT_DOUBLE_EQ(cost.alone.base(), 1e-6 + operation.bytes * 1.25 / 2e12);
}

TEST(KernelCost, AloneIsLaunchPlusTheLongerSide)
{
    for (const std::int64_t k : {64, 256, 1024, 8192}) {
        const auto gpu = round_gpu();
        const auto cost = compute::cost(gemm(4096, 4096, k), gpu);
        const double memory = cost.amount * cost.hbm_per_byte / gpu.memory_bandwidth.base();
        EXPECT_DOUBLE_EQ(cost.alone.base(), 1e-6 + std::max(sm_seconds(cost, gpu), memory));
    }
}

spec::Operation attention(std::int64_t sequence, std::int64_t head)
{
    spec::Operation operation;
    operation.kind = spec::OperationKind::attention;
    operation.m = sequence;
    operation.n = sequence;
    operation.k = head;
    operation.flops = Flops::of(1e12);
    operation.bytes = 1;
    return operation;
}

/// Achieved over peak on a GPU whose GEMMs sustain `efficiency`.
double attention_share(std::int64_t sequence, std::int64_t head, double efficiency)
{
    auto gpu = round_gpu();
    gpu.math_efficiency = efficiency;
    gpu.kernel_launch = Time{};
    const auto cost = compute::cost(attention(sequence, head), gpu);
    return 1e12 / cost.alone.base() / 1320e12;
}

TEST(KernelCost, CausalAttentionFollowsTheMeasurementsOfFlashAttention2)
{
    // A100 SXM 80 GB, forward and backward, causal, head dimension 128, as a share of 312 TFLOP/s:
    // Dao-AILab/flash-attention at 0251105a2fb1, assets/flash2_a100_fwd_bwd_benchmark.png. The
    // largest GEMMs of that GPU sustain 0.869 (stas00/ml-engineering at 744d01e18b79, MAMF table).
    EXPECT_NEAR(attention_share(1024, 128, 0.869), 0.426, 0.04 * 0.426);
    EXPECT_NEAR(attention_share(2048, 128, 0.869), 0.497, 0.04 * 0.497);
    EXPECT_NEAR(attention_share(4096, 128, 0.869), 0.554, 0.04 * 0.554);
    EXPECT_NEAR(attention_share(8192, 128, 0.869), 0.583, 0.04 * 0.583);
    EXPECT_NEAR(attention_share(16384, 128, 0.869), 0.606, 0.04 * 0.606);
    // The same with head dimension 64.
    EXPECT_NEAR(attention_share(2048, 64, 0.869), 0.449, 0.04 * 0.449);
    EXPECT_NEAR(attention_share(8192, 64, 0.869), 0.529, 0.04 * 0.529);
}

TEST(KernelCost, AMissingPrecisionIsTheUsersToGive)
{
    auto operation = gemm(128, 128, 128);
    operation.precision = spec::Precision::fp8;
    try {
        static_cast<void>(compute::cost(operation, round_gpu()));
        FAIL() << "expected InputError";
    } catch (const InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1U);
        EXPECT_EQ(error.diagnostics()[0].key, "gpu.peak");
        EXPECT_EQ(error.diagnostics()[0].message, "round has no fp8 rate, which the work needs");
    }
}

}  // namespace
}  // namespace sim::compute
