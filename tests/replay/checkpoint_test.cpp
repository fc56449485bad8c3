#include <gtest/gtest.h>

#include "replay/offload_job.hpp"

namespace sim::replay
{
namespace
{

using namespace sim::literals;
using spec::DataTier;
using test::experiment;
using test::parameters;
using test::seconds;
using test::simulate;
using test::use_of;

TEST(Checkpoint, ASynchronousOneStallsForItsBytesOverTheDrives)
{
    // Weights of 2 bytes and state of 12 of each parameter at the drive's write rate.
    auto job = experiment();
    job.workload.checkpoint = spec::CheckpointSpec{};
    const auto result = simulate(job);
    const double bytes = 14 * parameters(job);
    EXPECT_NEAR(seconds(result, Entry::checkpoint), bytes / test::kFlashWrite, 1e-3);
}

TEST(Checkpoint, AnAsynchronousOneStallsForTheCopyToHostMemoryOrForTheOneBefore)
{
    auto job = experiment();
    job.steps = 3;
    job.workload.checkpoint = spec::CheckpointSpec{.asynchronous = true};
    const double bytes = 14 * parameters(job);
    // Saving in every step, the pace is the drive's write and the copy that waits for its memory.
    EXPECT_NEAR(simulate(job).step.base(), bytes / test::kFlashWrite + bytes / test::kSlot, 1e-3);
    job.cluster.node.host.storage->count = 64;
    job.cluster.node.host.storage->socket_of_drive = spec::spread_evenly(64, 1);
    const auto fast = simulate(job);
    EXPECT_NEAR(seconds(fast, Entry::checkpoint), bytes / test::kSlot, 0.01);
}

TEST(Checkpoint, NotShardedOneRankSavesAllAndTheOthersWait)
{
    auto job = experiment(2);
    job.workload.checkpoint = spec::CheckpointSpec{.sharded = false};
    const auto result = simulate(job);
    const double bytes = 14 * parameters(job);
    EXPECT_NEAR(use_of(result, "the drives of a node").written, bytes, 64);
    EXPECT_NEAR(seconds(result, Entry::checkpoint), bytes / test::kFlashWrite, 0.01);
    EXPECT_GT(result.step.base(), bytes / test::kFlashWrite);
    // Who saves and who waits do different things in the one stage there is.
    ASSERT_EQ(result.classes.size(), 2);
    EXPECT_EQ(result.classes[0].stage, 0);
    EXPECT_EQ(result.classes[1].stage, 0);
}

TEST(Checkpoint, WhatIsInHostMemoryIsSavedFromThere)
{
    // Twelve of fourteen bytes do not cross the slot; the drive takes all of them.
    auto job = experiment();
    spec::OffloadSpec offload;
    offload.optimizer = {DataTier::dram, 1};
    offload.update_on_host = true;
    offload.buffers = {.count = 2, .size = 64_MiB};
    job.workload.offload = offload;
    const auto before = simulate(job);
    job.workload.checkpoint = spec::CheckpointSpec{};
    const auto result = simulate(job);
    const auto& drives = use_of(result, "the drives of a node");
    EXPECT_NEAR(drives.written, 14 * parameters(job), 64);
    // Host memory is read for the twelve; the two of the weights pass through it.
    const auto& host = use_of(result, "host memory of a node");
    EXPECT_NEAR(host.read - use_of(before, "host memory of a node").read, 14 * parameters(job), 64);
    EXPECT_NEAR(host.written - use_of(before, "host memory of a node").written, 2 * parameters(job),
                64);
}

TEST(Checkpoint, ShardedOverTwiceTheRanksIsHalfAsLongOnDrivesOfTheirOwn)
{
    const auto stall = [](int gpus) {
        auto job = experiment(gpus);
        job.cluster.node.host.storage->count = gpus;
        job.cluster.node.host.storage->socket_of_drive = spec::spread_evenly(gpus, 1);
        job.workload.checkpoint = spec::CheckpointSpec{};
        return seconds(simulate(job), Entry::checkpoint);
    };
    EXPECT_NEAR(stall(2) / stall(1), 0.5, 0.01);
}

}  // namespace
}  // namespace sim::replay
