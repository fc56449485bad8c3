#include "workload/residence.hpp"

#include <gtest/gtest.h>

#include "workload/activation_offload.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

Bytes held(const spec::WorkloadSpec& workload, const std::string& what)
{
    Bytes all{};
    const auto by_stage = held_elsewhere(workload);
    for (const auto& one : by_stage.front()) {
        all += one.what == what ? one.bytes : Bytes{};
    }
    return all;
}

/// State on drives, updated by the host.
spec::WorkloadSpec staged()
{
    auto workload = small_pipeline(1, 1);
    auto& offload = workload.offload.emplace();
    offload.optimizer.tier = spec::DataTier::storage;
    offload.update_on_host = true;
    offload.buffers = {.count = 3, .size = Bytes::of(1'000'000)};
    return workload;
}

TEST(Residence, ABufferIsAsLargeAsItIsSaidToBe)
{
    EXPECT_EQ(held(staged(), "pinned buffers").base(), 3'000'000);
}

TEST(Residence, AnAdaptiveBufferHoldsTheStateOfTheLargestLayer)
{
    auto workload = staged();
    workload.offload->buffers.adaptive = true;
    const auto state = 12 * layer_parameters(shard(workload));
    EXPECT_EQ(staging_size(workload, stages(workload)[0]).base(), state);
    EXPECT_EQ(held(workload, "pinned buffers").base(), 3 * state);
}

TEST(Residence, ActivationsInHostMemoryNeedNoBuffersBesideThem)
{
    auto workload = small_pipeline(1, 1);
    auto& offload = workload.offload.emplace();
    offload.activations.tier = spec::DataTier::dram;
    offload.buffers.size = Bytes::of(1'000'000);
    EXPECT_EQ(held(workload, "pinned buffers"), Bytes{});
    EXPECT_EQ(held(workload, "activations"), activations_away(workload, stages(workload)[0]));
    offload.activations.tier = spec::DataTier::storage;  // by host memory
    EXPECT_EQ(held(workload, "pinned buffers").base(), 2'000'000);
}

}  // namespace
}  // namespace sim::workload
