#include "compute/attention.hpp"

#include <gtest/gtest.h>

namespace sim::compute
{
namespace
{

using spec::AttentionLibrary;

/// 1000 TFLOP/s; forward at one half, backward at one quarter.
spec::GpuSpec round_gpu()
{
    spec::GpuSpec gpu;
    gpu.name = "round";
    gpu.peak[spec::Precision::bf16] = FlopRate::of(1000e12);
    gpu.attention[AttentionLibrary::flash_3] = {{0.5, 32, 100}, {0.25, 0, 0}};
    return gpu;
}

/// Ten heads of 96 columns.
spec::Operation attention(std::int64_t queries, std::int64_t keys)
{
    spec::Operation operation;
    operation.kind = spec::OperationKind::attention;
    operation.library = AttentionLibrary::flash_3;
    operation.m = queries;
    operation.n = keys;
    operation.k = 96;
    operation.batch = 10;
    operation.causal = false;
    return operation;
}

TEST(Attention, PaysForTheSoftmaxAsForColumnsAndForTheEndsOfATileAsForKeys)
{
    // 4 * 2000 queries * 10 heads * (1000 + 100) keys * (96 + 32) columns / (0.5 * 1000e12).
    EXPECT_NEAR(attention_seconds(attention(2000, 1000), round_gpu()),
                4.0 * 20000 * 1100 * 128 / 500e12, 1e-15);
}

TEST(Attention, ACausalMaskLeavesHalfTheKeysAndHalfATile)
{
    auto operation = attention(1000, 1000);
    operation.causal = true;
    // (1000 + 128) / 2 = 564 keys a query on average.
    EXPECT_NEAR(attention_seconds(operation, round_gpu()), 4.0 * 10000 * 664 * 128 / 500e12, 1e-15);
    // A sequence shorter than a tile is computed whole.
    auto small = attention(64, 64);
    const double whole = attention_seconds(small, round_gpu());
    small.causal = true;
    EXPECT_EQ(attention_seconds(small, round_gpu()), whole);
}

TEST(Attention, TheBackwardPassHasFiveProductsForTwo)
{
    auto operation = attention(1000, 1000);
    operation.backward = true;
    EXPECT_NEAR(attention_seconds(operation, round_gpu()), 10.0 * 10000 * 1000 * 96 / 250e12,
                1e-15);
}

TEST(Attention, WithoutAChoiceTheNewestLibraryCounts)
{
    auto gpu = round_gpu();
    gpu.attention[AttentionLibrary::flash_1] = {{0.1, 0, 0}, {0.1, 0, 0}};
    auto operation = attention(1000, 1000);
    const double newest = attention_seconds(operation, gpu);
    operation.library = std::nullopt;
    EXPECT_EQ(attention_seconds(operation, gpu), newest);
    operation.library = AttentionLibrary::flash_1;
    EXPECT_GT(attention_seconds(operation, gpu), newest);
}

TEST(Attention, ALibraryTheGpuSaysNothingOfIsTheUsersToGive)
{
    auto operation = attention(128, 128);
    operation.library = AttentionLibrary::flash_1;
    try {
        static_cast<void>(attention_seconds(operation, round_gpu()));
        FAIL() << "expected InputError";
    } catch (const InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1U);
        EXPECT_EQ(error.diagnostics()[0].key, "gpu.attention");
        EXPECT_EQ(error.diagnostics()[0].message, "round does not say how fast flash_1 runs on it");
    }
}

}  // namespace
}  // namespace sim::compute
