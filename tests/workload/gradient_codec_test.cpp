#include "workload/gradient_codec.hpp"

#include <gtest/gtest.h>

#include "workload/footprint.hpp"
#include "workload/graph_tasks.hpp"
#include "workload/instant_machine.hpp"
#include "workload/shard.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;
using spec::GradientCompression;

/// fp32 gradients of eight replicas.
spec::WorkloadSpec compressing(GradientCompression compression)
{
    auto workload = small_pipeline(1, 8);
    workload.plan.data = 8;
    workload.compression = compression;
    workload.kept_gradients = 0.01;
    return workload;
}

TEST(GradientCodec, AQuantisedGradientIsAByteAndItsShareOfAScale)
{
    for (const auto compression : {GradientCompression::fp8, GradientCompression::int8}) {
        const GradientCodec codec{compressing(compression)};
        const GradientCodec::Sum sum{2048 * 1000, 8, false};
        EXPECT_EQ(codec.size(sum), Bytes::of(2048 * 1000 + 4 * 1000));
        EXPECT_EQ(codec.collective(sum), CollectiveKind::all_reduce);
        // Read twice as fp32 and written; read and written as fp32.
        EXPECT_DOUBLE_EQ(codec.packing_bytes(sum), 8 * 2'048'000.0 + 2'052'000);
        EXPECT_DOUBLE_EQ(codec.unpacking_bytes(sum), 2'052'000 + 4 * 2'048'000.0);
        EXPECT_EQ(codec.residual_bytes(), 0);
    }
}

TEST(GradientCodec, ARankThatUpdatesAShareUnpacksAShare)
{
    const GradientCodec codec{compressing(GradientCompression::fp8)};
    const GradientCodec::Sum all{8 * 2048, 8, false};
    const GradientCodec::Sum share{8 * 2048, 8, true};
    EXPECT_EQ(codec.collective(share), CollectiveKind::reduce_scatter);
    EXPECT_DOUBLE_EQ(codec.unpacking_bytes(share), codec.unpacking_bytes(all) / 8);
}

TEST(GradientCodec, TheLargestGradientsOfEveryRankGoToAllWithTheirPlaces)
{
    const GradientCodec codec{compressing(GradientCompression::top_k)};
    const GradientCodec::Sum sum{1'000'000, 8, true};
    // 10,000 of each of eight ranks, 4 bytes and 4 of place.
    EXPECT_EQ(codec.size(sum), Bytes::of(8 * 10'000 * 8));
    EXPECT_EQ(codec.collective(sum), CollectiveKind::all_gather);
    EXPECT_DOUBLE_EQ(codec.packing_bytes(sum), 1e6 * (4 + 12) + 1e4 * 8);
    EXPECT_DOUBLE_EQ(codec.unpacking_bytes(sum), 1e6 * 4 + 8 * 1e4 * (12 + 4));
    EXPECT_EQ(codec.residual_bytes(), 4);
}

TEST(GradientCodec, AStepSumsThePackedGradientsAndUnpacksThemBeforeTheNorm)
{
    const auto plain = compressing(GradientCompression::none);
    const auto packed = compressing(GradientCompression::int8);
    const auto parameters = static_cast<double>(stage_parameters(stages(plain)[0], shard(plain)));
    const auto graph = training_step(packed);
    EXPECT_NEAR(static_cast<double>(sum_of(bytes_moved(graph, "gradient bucket"))) /
                    (parameters * (1 + 4.0 / 2048)),
                1, 1e-5);  // whole bytes a bucket
    EXPECT_EQ(bytes_moved(graph, "gradient bucket").size(),
              kernel_bytes(graph, "pack gradients").size());
    EXPECT_EQ(kernel_bytes(graph, "unpack gradients").size(), 1U);
    EXPECT_TRUE(kernel_bytes(training_step(plain), "pack gradients").empty());
    InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
    EXPECT_TRUE(machine.run());
}

TEST(GradientCodec, WhatWasNotSentIsKeptInMemory)
{
    const auto plain = compressing(GradientCompression::none);
    const auto sparse = compressing(GradientCompression::top_k);
    const auto parameters = stage_parameters(stages(plain)[0], shard(plain));
    EXPECT_EQ((footprint(sparse)[0].gradients - footprint(plain)[0].gradients).base(),
              4 * parameters);
}

TEST(GradientCodec, LossScalingReadsTheGradientsAndTellsAllOfAnOverflow)
{
    auto workload = compressing(GradientCompression::none);
    workload.loss_scaling = true;
    for (const int zero : {0, 1, 3}) {
        workload.plan.zero = zero;
        const auto graph = training_step(workload);
        EXPECT_EQ(bytes_moved(graph, "overflow check"), std::vector<std::int64_t>{4});
        const auto owned = updated_parameters(stages(workload)[0], shard(workload), workload.plan);
        // Read and written in fp32.
        EXPECT_EQ(kernel_bytes(graph, "unscale gradients"),
                  std::vector<double>{8.0 * static_cast<double>(owned)});
    }
}

TEST(GradientCodec, WithoutClippingNobodyNeedsTheNorm)
{
    auto workload = compressing(GradientCompression::none);
    for (const int zero : {0, 1, 3}) {
        workload.plan.zero = zero;
        workload.gradient_clipping = true;
        const auto clipped = training_step(workload);
        EXPECT_EQ(bytes_moved(clipped, "gradient norm"), std::vector<std::int64_t>{4});
        workload.gradient_clipping = false;
        const auto free = training_step(workload);
        EXPECT_TRUE(bytes_moved(free, "gradient norm").empty());
        // Four bytes less are read of each of the parameters that the rank updates.
        EXPECT_DOUBLE_EQ(sum_of(kernel_bytes(free, "optimizer")) * 34,
                         sum_of(kernel_bytes(clipped, "optimizer")) * 30);
        InstantMachine machine{free, 2, [](const auto&, const auto&) { return 0.0; }};
        EXPECT_TRUE(machine.run());
    }
}

}  // namespace
}  // namespace sim::workload
