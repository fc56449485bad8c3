#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "replay/fold_compare.hpp"

namespace sim::replay::test
{
namespace
{

using rc::gen::element;
using rc::gen::inRange;

/// Cuts of eight layers into 1, 2 and 4 stages, not all of them even.
std::vector<int> draw_layers()
{
    return *element(std::vector<int>{8}, std::vector<int>{4, 4}, std::vector<int>{5, 3},
                    std::vector<int>{2, 2, 2, 2}, std::vector<int>{3, 2, 2, 1});
}

RC_GTEST_PROP(Fold, GivesTheStepOfTheWholeRunForAnyPlan, ())
{
    Plan plan;
    plan.layers = draw_layers();
    plan.pipeline = static_cast<int>(plan.layers.size());
    plan.tensor = *element(1, 2, 4, 8);
    plan.data = *inRange(1, 64 / plan.tensor / plan.pipeline + 1);
    plan.zero = plan.data > 1 ? *inRange(0, 2) : 0;
    auto spec = experiment(plan);
    auto& network = std::get<spec::LeafSpineSpec>(spec.cluster.fabric.network);
    network.nodes_per_leaf = *inRange(1, 4);
    network.oversubscription = *element(1, 2, 4);
    if (*rc::gen::arbitrary<bool>()) {
        spec.cluster.node.nics = 4;
        spec.cluster.node.nic_of_gpu = {0, 0, 1, 1, 2, 2, 3, 3};
    }
    if (*inRange(0, 4) == 0) {
        spec.cluster.fabric.routing = spec::Routing::ecmp;
        spec.cluster.fabric.connections = *inRange(1, 5);
        spec.seed = *inRange(0U, 1000U);
    }
    RC_TAG(spec.cluster.fabric.routing == spec::Routing::ecmp ? "ecmp" : "even");
    fold_and_compare(spec);
    RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace sim::replay::test
