#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/max_min.hpp"
#include "engine/native_textbook.hpp"

namespace
{

using sim::ResourceId;
using sim::engine::kUnlimited;
using sim::engine::MaxMin;
using sim::engine::Use;

using textbook::Flow;
using textbook::Scene;

double one_of(std::initializer_list<double> values)
{
    return *rc::gen::elementOf(std::vector<double>(values));
}

Flow random_flow(std::size_t resources)
{
    Flow flow;
    const auto uses = *rc::gen::inRange(0, 5);
    for (int i = 0; i < uses; ++i) {
        flow.uses.push_back({ResourceId{*rc::gen::inRange<std::size_t>(0, resources)},
                             one_of({0, 0.25, 1, 1, 1, 3, 7.7})});
    }
    flow.share = one_of({1, 1, 1, 2, 0.3});
    flow.cap = one_of({kUnlimited, kUnlimited, kUnlimited, 0.5, 1, 3.1});
    return flow;
}

double random_capacity() { return one_of({0, 1, 1, 2, 10, 33.3, 1e3, kUnlimited}); }

void expect_equal_rates(const MaxMin& solver, const Scene& scene)
{
    const auto expected = textbook::rates(scene);
    for (std::size_t f = 0; f < scene.flows.size(); ++f) {
        if (!scene.flows[f].alive) {
            continue;
        }
        const double got = solver.rate(static_cast<MaxMin::Slot>(f));
        RC_ASSERT(got == expected[f] || std::abs(got - expected[f]) <= 1e-9 * expected[f]);
    }
}

void start(MaxMin& solver, Scene& scene, const Flow& flow)
{
    const auto slot = static_cast<MaxMin::Slot>(scene.flows.size());
    scene.flows.push_back(flow);
    solver.define(slot, {flow.uses, flow.share, flow.cap});
    solver.attach(slot);
}

void change_something(MaxMin& solver, Scene& scene)
{
    const auto what = *rc::gen::inRange(0, 10);
    if (what < 5) {
        start(solver, scene, random_flow(scene.capacities.size()));
    } else if (what < 8 && !scene.flows.empty()) {
        const auto f = *rc::gen::inRange<std::size_t>(0, scene.flows.size());
        if (scene.flows[f].alive) {
            scene.flows[f].alive = false;
            solver.remove(static_cast<MaxMin::Slot>(f), 1);
        }
    } else {
        const auto r = *rc::gen::inRange<std::uint32_t>(
            0, static_cast<std::uint32_t>(scene.capacities.size()));
        scene.capacities[r] = random_capacity();
        solver.set_capacity(r, scene.capacities[r]);
    }
}

RC_GTEST_PROP(MaxMin, KeepsTheTextbookRatesThroughAnyChanges, ())
{
    Scene scene;
    MaxMin solver;
    const auto resources = *rc::gen::inRange(1, 9);
    for (int r = 0; r < resources; ++r) {
        scene.capacities.push_back(random_capacity());
        solver.add_resource(scene.capacities.back());
    }
    const auto instants = *rc::gen::inRange(1, 25);
    for (int i = 0; i < instants; ++i) {
        const auto changes = *rc::gen::inRange(1, 4);
        for (int c = 0; c < changes; ++c) {
            change_something(solver, scene);
        }
        solver.solve();
        expect_equal_rates(solver, scene);
    }
    solver.solve_from_scratch();
    expect_equal_rates(solver, scene);
}

TEST(MaxMin, ReportsOnlyFlowsWhoseLevelChanged)
{
    // Two flows share a (1 unit/s): 0.5 each. A third on b (10 units/s) touches neither, and its
    // second companion halves it to 5 alone.
    MaxMin solver;
    solver.add_resource(1);
    solver.add_resource(10);
    const std::vector<Use> a{{ResourceId{0}, 1}};
    const std::vector<Use> b{{ResourceId{1}, 1}};
    for (MaxMin::Slot slot = 0; slot < 4; ++slot) {
        solver.define(slot, {slot < 2 ? a : b, 1, kUnlimited});
    }
    solver.attach(0);
    solver.attach(1);
    EXPECT_EQ(solver.solve().size(), 2u);
    solver.attach(2);
    EXPECT_EQ(solver.solve().size(), 1u);
    solver.attach(3);
    EXPECT_EQ(solver.solve().size(), 2u);
    EXPECT_EQ(solver.rate(0), 0.5);
    EXPECT_EQ(solver.rate(3), 5);
    // An equal flow takes the place of one that ends within the instant: nobody else notices.
    solver.remove(3, 0);
    solver.define(3, {b, 1, kUnlimited});
    solver.attach(3);
    const auto changed = solver.solve();
    ASSERT_EQ(changed.size(), 1u);
    EXPECT_EQ(changed.front(), 3u);
}

TEST(MaxMin, AFlowReleasedByOneResourceIsHeldByTheNext)
{
    // Flow 0 crosses a (1) with flow 1 and b (2) with flow 2: 0.5 on a, so flow 2 has 1.5.
    // When flow 1 leaves, flow 0 rises until b holds it: both 1.
    MaxMin solver;
    solver.add_resource(1);
    solver.add_resource(2);
    const std::vector<Use> both{{ResourceId{0}, 1}, {ResourceId{1}, 1}};
    const std::vector<Use> a{{ResourceId{0}, 1}};
    const std::vector<Use> b{{ResourceId{1}, 1}};
    solver.define(0, {both, 1, kUnlimited});
    solver.define(1, {a, 1, kUnlimited});
    solver.define(2, {b, 1, kUnlimited});
    for (MaxMin::Slot slot = 0; slot < 3; ++slot) {
        solver.attach(slot);
    }
    solver.solve();
    EXPECT_EQ(solver.rate(0), 0.5);
    EXPECT_EQ(solver.rate(2), 1.5);
    EXPECT_EQ(solver.bottleneck(0), 0u);
    solver.remove(1, 0);
    solver.solve();
    EXPECT_EQ(solver.rate(0), 1);
    EXPECT_EQ(solver.rate(2), 1);
    EXPECT_FALSE(solver.unfair());
}

TEST(MaxMin, AResourceListedTwiceIsConsumedTwice)
{
    MaxMin solver;
    solver.add_resource(3);
    const std::vector<Use> uses{{ResourceId{0}, 1}, {ResourceId{0}, 2}};
    solver.define(0, {uses, 1, kUnlimited});
    solver.attach(0);
    solver.solve();
    EXPECT_EQ(solver.rate(0), 1);
    EXPECT_EQ(solver.claims(0).size(), 1u);
}

}  // namespace
