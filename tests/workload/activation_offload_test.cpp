#include "workload/activation_offload.hpp"

#include <gtest/gtest.h>

#include "workload/activations.hpp"
#include "workload/footprint.hpp"
#include "workload/graph_tasks.hpp"
#include "workload/instant_machine.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

/// The first so many layers of each chunk, one copy on its way.
spec::OffloadSpec layers_to_host(int layers)
{
    spec::OffloadSpec offload;
    offload.activations = {spec::DataTier::dram, 1, layers};
    offload.buffers = {.count = 1, .size = Bytes::of(1 << 20)};
    return offload;
}

/// One stage of six layers, two micro-batches, of which four layers' activations leave.
spec::WorkloadSpec offloading()
{
    auto workload = small_pipeline(1, 2);
    workload.model.layers = 6;
    workload.plan.layers_per_stage = {6};
    workload.offload = layers_to_host(4);
    return workload;
}

std::int64_t of_layer(const spec::WorkloadSpec& workload)
{
    return layer_activations(shard(workload), {}, workload.recompute).base();
}

TEST(ActivationOffload, EveryLayersActivationsLeaveAndComeBackOnceAMicroBatch)
{
    const auto workload = offloading();
    const auto graph = training_step(workload);
    const std::vector<std::int64_t> all(4 * 2, of_layer(workload));
    EXPECT_EQ(bytes_moved(graph, "activations leave"), all);
    EXPECT_EQ(bytes_moved(graph, "activation fetch"), all);
}

TEST(ActivationOffload, CopiesAreOfTheHostAndNeedNoKernel)
{
    const auto graph = training_step(offloading());
    const auto& copies = graph.programs[0].copies;
    ASSERT_EQ(copies.size(), 2U);
    EXPECT_EQ(copies[0].from, spec::DataTier::hbm);
    EXPECT_EQ(copies[0].to, spec::DataTier::dram);
    EXPECT_EQ(copies[1].from, spec::DataTier::dram);
    EXPECT_EQ(copies[1].to, spec::DataTier::hbm);
    EXPECT_EQ(copies[0].purpose, Purpose::dram);
}

TEST(ActivationOffload, ThereAreLayersThatStayAndTwoThatPass)
{
    auto workload = offloading();
    const auto layer = of_layer(workload);
    EXPECT_EQ(footprint(workload)[0].activations.base(), (2 + 2) * layer);
    EXPECT_EQ(activations_away(workload, stages(workload)[0]).base(), 4 * layer);
    workload.offload.reset();
    EXPECT_EQ(footprint(workload)[0].activations.base(), 6 * layer);
    EXPECT_EQ(activations_away(workload, stages(workload)[0]).base(), 0);
}

TEST(ActivationOffload, APipelinesStageSendsAwayWhatEveryMicroBatchInFlightKeeps)
{
    auto workload = small_pipeline(4, 8);
    workload.offload = layers_to_host(1);
    const auto layer = of_layer(workload);
    // The first of four stages holds four micro-batches, the last one.
    EXPECT_EQ(activations_away(workload, stages(workload)[0]).base(), 4 * layer);
    EXPECT_EQ(activations_away(workload, stages(workload)[3]).base(), layer);
    // A backward's two come back while one leaves and the next runs forward.
    EXPECT_EQ(footprint(workload)[0].activations.base(), (4 + 4) * layer);
}

TEST(ActivationOffload, AShareOfEachLayerLeavesAndTheRestStays)
{
    auto workload = offloading();
    const auto layer = of_layer(workload);
    workload.offload->activations = {spec::DataTier::storage, 0.25, std::nullopt};
    EXPECT_EQ(activations_away(workload, stages(workload)[0]).base(), 6 * layer / 4);
    // Of two layers that pass, a quarter.
    EXPECT_EQ(footprint(workload)[0].activations.base(), 6 * layer * 3 / 4 + 2 * layer / 4);
    const std::vector<std::int64_t> all(6 * 2, layer / 4);
    EXPECT_EQ(bytes_moved(training_step(workload), "activations leave"), all);
}

TEST(ActivationOffload, NoLayerIsNoOffload)
{
    auto workload = offloading();
    workload.offload = layers_to_host(0);
    EXPECT_TRUE(spec::moves_nothing(*workload.offload));
    EXPECT_TRUE(training_step(workload).programs[0].copies.empty());
}

TEST(ActivationOffload, WeightsPassesThatArePutOffKeepWhatWasFetched)
{
    auto workload = small_pipeline(2, 8);
    workload.plan.schedule = spec::Schedule::zero_bubble;
    workload.offload = layers_to_host(2);
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
    EXPECT_TRUE(machine.run());
}

TEST(ActivationOffload, NoPlanWaitsForItself)
{
    for (const int chunks : {1, 2}) {
        for (const int zero : {1, 3}) {
            auto workload = small_pipeline(zero == 3 ? 1 : 2, 8);
            workload.plan.data = 2;
            workload.plan.zero = zero;
            workload.plan.chunks = zero == 3 ? 1 : chunks;
            workload.offload = layers_to_host(2);
            const auto graph = training_step(workload);
            InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
            EXPECT_TRUE(machine.run()) << chunks << zero;
        }
    }
}

}  // namespace
}  // namespace sim::workload
