#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "replay/fold_compare.hpp"

namespace sim::replay::test
{
namespace
{

using spec::PlacementSpec;

double mean_use(const Result& result, const std::string& name)
{
    for (const auto& resource : result.resources) {
        if (resource.name == name) {
            return resource.mean_utilisation;
        }
    }
    return 0;
}

/// 32 ranks on four nodes, two a leaf, an eighth of the bandwidth between leaves.
spec::ExperimentSpec oversubscribed(const PlacementSpec& placement)
{
    auto spec = experiment({.tensor = 8, .data = 4});
    auto& network = std::get<spec::LeafSpineSpec>(spec.cluster.fabric.network);
    network.oversubscription = 8;
    spec.cluster.placement = placement;
    return spec;
}

TEST(Placement, NeighboursOnOtherLeavesSendMoreBetweenThemAndTakeLonger)
{
    // Nodes in order 0 1 | 2 3: the ring of four crosses between leaves twice. Dealt out, 0 2 1 3,
    // it crosses four times.
    const auto packed = run(oversubscribed({}), {});
    const auto dealt = run(oversubscribed({.order = PlacementSpec::Order::round_robin}), {});
    const auto bytes = [](const Result& result) {
        return mean_use(result, "leaf_spine") * result.step.base();
    };
    EXPECT_NEAR(bytes(dealt) / bytes(packed), 2, 1e-9);
    EXPECT_GT(dealt.step, packed.step);
}

TEST(Placement, FoldedAndWholeRunsAgreeWhereverRanksAre)
{
    for (const auto order : {PlacementSpec::Order::round_robin, PlacementSpec::Order::random}) {
        for (const auto unit : {PlacementSpec::Unit::node, PlacementSpec::Unit::rank}) {
            (void)fold_and_compare(oversubscribed({.order = order, .unit = unit}));
        }
    }
    (void)fold_and_compare(
        oversubscribed({.order = PlacementSpec::Order::listed, .hosts = {3, 0, 2, 1}}));
}

TEST(Placement, MoreRanksThanTheListedHostsHaveIsAnError)
{
    try {
        (void)run(oversubscribed({.order = PlacementSpec::Order::listed, .hosts = {3, 0}}), {});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message,
                  "has 32 ranks but the cluster has 16 GPUs on the hosts that are listed");
    }
}

}  // namespace
}  // namespace sim::replay::test
