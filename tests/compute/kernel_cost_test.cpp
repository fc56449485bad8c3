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
    gpu.math_efficiency[spec::Precision::bf16] = 0.5;
    gpu.gemm_fill = Bytes::of(256);
    gpu.gemm_store_overlapped = true;
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
    // A 64 x 64 tile, k = 1024 plus 128 for the pipeline (256 bytes of bf16), at 5 TFLOP/s; it
    // reads 1/64 + 1/64 - 3/256 = 5/256 operands a multiplication more than the largest tile, 22
    // each.
    const auto cost = compute::cost(gemm(64, 64, 1024), round_gpu());
    EXPECT_NEAR(sm_seconds(cost, round_gpu()), 2 * 64 * 64 * 1152 / 5e12 * (1 + 22 * 5.0 / 256),
                1e-15);
}

TEST(KernelCost, OneTileMoreThanAWaveTakesASecondWave)
{
    // 132 tiles of 256 x 128 fill the GPU once: 2 * 256 * 128 * (8192 + 128) / 5e12 s.
    const double wave = 2.0 * 256 * 128 * 8320 / 5e12;
    const auto full = compute::cost(gemm(256 * 12, 128 * 11, 8192), round_gpu());
    EXPECT_NEAR(sm_seconds(full, round_gpu()), wave, 1e-12);

    // 144 of them need two waves. Of the smaller tiles 96 x 128 does best: 32 * 12 = 384 of them
    // take three waves of 3/8 of the work, with 1/96 + 1/128 - 3/256 = 5/768 more operands: 1.286.
    // Next come 128 x 160 (240 tiles, two waves of 5/8: 1.314) and 64 x 192 (three of 3/8: 1.351).
    const auto spilled = compute::cost(gemm(256 * 12, 128 * 12, 8192), round_gpu());
    EXPECT_NEAR(sm_seconds(spilled, round_gpu()), 1.125 * (1 + 22 * 5.0 / 768) * wave, 1e-12);
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

TEST(KernelCost, StoringATileKeepsItsSmFromMultiplyingUnlessOverlapped)
{
    // One full wave of 256 x 128 tiles; every SM then writes 32,768 elements of 2 bytes at its
    // share of 1.6 TB/s: 65,536 * 132 / 1.6e12 = 5.407 us.
    auto gpu = round_gpu();
    const auto operation = gemm(256 * 12, 128 * 11, 8192);
    const double overlapped = sm_seconds(compute::cost(operation, gpu), gpu);
    gpu.gemm_store_overlapped = false;
    const double alone = sm_seconds(compute::cost(operation, gpu), gpu);
    EXPECT_NEAR(alone - overlapped, 65536.0 * 132 / 1.6e12, 1e-12);
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
