#include <gmock/gmock.h>

#include "config/fixture.hpp"

namespace sim::config
{
namespace
{

using testing::HasSubstr;

class PlanOptions : public InFolder
{
protected:
    PlanOptions() { write_good(); }

    [[nodiscard]] spec::WorkloadSpec with(const std::vector<Override>& overrides) const
    {
        return load_experiment("run.yaml", overrides).spec.workload;
    }
};

TEST_F(PlanOptions, NothingIsSwitchedOnThatIsNotWritten)
{
    const auto workload = with({});
    EXPECT_EQ(workload.plan.context_exchange, spec::ContextExchange::ring);
    EXPECT_EQ(workload.plan.prefetch, 1);
    EXPECT_FALSE(workload.plan.backward_group);
    EXPECT_FALSE(workload.plan.overlap_shared_experts);
    EXPECT_EQ(workload.frozen_layers, 0);
    EXPECT_FALSE(workload.offload);
    EXPECT_EQ(workload.compression, spec::GradientCompression::none);
    EXPECT_FALSE(workload.loss_scaling);
    EXPECT_TRUE(workload.gradient_clipping);
}

TEST_F(PlanOptions, GradientsHaveTheirKeys)
{
    const auto workload = with({{"workload.gradient_compression", "top_k"},
                                {"workload.kept_gradients", "0.001"},
                                {"workload.loss_scaling", "true"},
                                {"workload.gradient_clipping", "false"},
                                {"workload.frozen_layers", "2"}});
    EXPECT_EQ(workload.compression, spec::GradientCompression::top_k);
    EXPECT_DOUBLE_EQ(workload.kept_gradients, 0.001);
    EXPECT_TRUE(workload.loss_scaling);
    EXPECT_FALSE(workload.gradient_clipping);
    EXPECT_EQ(workload.frozen_layers, 2);
}

TEST_F(PlanOptions, SharesHaveTheirKeys)
{
    const auto plan = with({{"workload.parallel.zero", "3"},
                            {"workload.parallel.backward_group", "2"},
                            {"workload.parallel.prefetch", "3"}})
                          .plan;
    EXPECT_EQ(plan.backward_group, 2);
    EXPECT_EQ(plan.prefetch, 3);
}

TEST_F(PlanOptions, AnEndOfTheModelMayTakeALayersPlace)
{
    EXPECT_TRUE(with({{"workload.parallel.ends_as_layers", "true"}}).plan.ends_as_layers);
    const auto plan = with({{"workload.parallel.ends_as_layers", "head"}}).plan;
    EXPECT_EQ(spec::embedding_places(plan), 0);
    EXPECT_EQ(spec::head_places(plan), 1);
}

TEST_F(PlanOptions, AnUnknownWordIsAnsweredWithTheKnownOnes)
{
    EXPECT_THAT(complaint("run.yaml", {{"workload.parallel.context_exchange", "p2p"}}),
                HasSubstr("\"p2p\" is not one of ring, all_gather, all_to_all"));
    EXPECT_THAT(complaint("run.yaml", {{"workload.parallel.schedule", "dualpipe"}}),
                HasSubstr("\"dualpipe\" is not one of 1f1b, gpipe, zero_bubble"));
}

TEST_F(PlanOptions, ActivationsGoWhereThereIsHostMemory)
{
    EXPECT_THAT(complaint("run.yaml", {{"workload.activation_offload", "1"}}),
                HasSubstr("cluster.host.dram: missing: workload.offload uses it"));
}

TEST_F(PlanOptions, ActivationOffloadIsShortForAPolicyOfLayers)
{
    write("tiers.yaml",
          "extends: cluster.yaml\nhost:\n  sockets: 1\n  dram: { module: { extends: " +
              std::string{WEFTSIM_SOURCE_DIR} +
              "/configs/hardware/memory/ddr5-4800.yaml }, modules: 8, "
              "read_factor: 1, capacity: 1 TB }\n");
    write_run_with("extends: cluster.yaml", "extends: tiers.yaml");
    const auto offload = with({{"workload.activation_offload", "2"}}).offload;
    ASSERT_TRUE(offload);
    EXPECT_EQ(offload->activations.tier, spec::DataTier::dram);
    EXPECT_EQ(offload->activations.layers, 2);
    EXPECT_EQ(offload->weights.away() + offload->optimizer.away(), 0);
}

TEST_F(PlanOptions, AdaptiveBuffersMayStandBesideTheSizeOfAPreset)
{
    const auto offload = with({{"workload.offload.buffers.size", "1 GB"},
                               {"workload.offload.buffers.adaptive", "true"}})
                             .offload;
    ASSERT_TRUE(offload);
    EXPECT_TRUE(offload->buffers.adaptive);
}

TEST_F(PlanOptions, ActivationOffloadDoesNotStandBesideThePolicyItIsShortFor)
{
    EXPECT_THAT(complaint("run.yaml", {{"workload.activation_offload", "2"},
                                       {"workload.offload.activations.to", "dram"}}),
                HasSubstr("write offload.activations: { to: dram, layers: 2 }"));
}

}  // namespace
}  // namespace sim::config
