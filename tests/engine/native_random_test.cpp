#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/native_engine.hpp"
#include "engine/native_textbook.hpp"

namespace
{

using sim::ResourceId;
using sim::Time;
using sim::engine::CapacityChange;
using sim::engine::kUnlimited;
using sim::engine::Listener;
using sim::engine::NativeEngine;
using sim::engine::Use;
using textbook::Flow;
using textbook::Scene;

struct Plan {
    Flow flow;
    double begin;  ///< start + latency
    double start;
    double amount;
};

struct World {
    std::vector<double> capacities;
    std::vector<std::vector<CapacityChange>> schedules;
    std::vector<Plan> plans;
};

/// A number no other arithmetic meets by chance.
double odd_number(double scale) { return scale * (1 + *rc::gen::inRange(0, 1'000'000) * 1e-6); }

World random_world()
{
    World world;
    const auto resources = *rc::gen::inRange<std::size_t>(1, 7);
    for (std::size_t r = 0; r < resources; ++r) {
        world.capacities.push_back(odd_number(1));
        auto& schedule = world.schedules.emplace_back();
        double at = 0;
        for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
            at += odd_number(0.5);
            schedule.push_back({Time::of(at), *rc::gen::inRange(0, 3) == 0 ? 0 : odd_number(0.7)});
        }
        schedule.push_back({Time::of(at + 3), 1});
    }
    const auto plans = *rc::gen::inRange(1, 25);
    for (int p = 0; p < plans; ++p) {
        Plan plan;
        const auto uses = *rc::gen::inRange(1, 4);
        for (int i = 0; i < uses; ++i) {
            plan.flow.uses.push_back(
                {ResourceId{*rc::gen::inRange<std::size_t>(0, resources)}, odd_number(0.5)});
        }
        plan.flow.share = odd_number(1);
        plan.flow.cap = *rc::gen::inRange(0, 3) == 0 ? odd_number(0.2) : kUnlimited;
        plan.flow.alive = false;
        plan.start = *rc::gen::inRange(0, 3) == 0 ? 0 : odd_number(2) - 2;
        plan.begin = plan.start + (*rc::gen::inRange(0, 2) == 0 ? 0 : odd_number(0.3));
        plan.amount = odd_number(0.4);
        world.plans.push_back(plan);
    }
    return world;
}

/// When each plan ends, by solving everything again at everything that happens.
std::vector<double> textbook_ends(const World& world)
{
    Scene scene{world.capacities, {}};
    std::vector<double> left;
    std::vector<double> ends(world.plans.size(), -1);
    for (const auto& plan : world.plans) {
        scene.flows.push_back(plan.flow);
        left.push_back(plan.amount);
    }
    double now = 0;
    while (std::find(ends.begin(), ends.end(), -1) != ends.end()) {
        for (std::size_t p = 0; p < ends.size(); ++p) {
            scene.flows[p].alive = world.plans[p].begin <= now && ends[p] < 0;
        }
        const auto rates = textbook::rates(scene);
        double next = kUnlimited;
        for (std::size_t p = 0; p < ends.size(); ++p) {
            if (scene.flows[p].alive && rates[p] > 0) {
                next = std::min(next, now + left[p] / rates[p]);
            } else if (world.plans[p].begin > now) {
                next = std::min(next, world.plans[p].begin);
            }
        }
        for (const auto& schedule : world.schedules) {
            for (const auto& change : schedule) {
                next = change.at.base() > now ? std::min(next, change.at.base()) : next;
            }
        }
        for (std::size_t p = 0; p < ends.size(); ++p) {
            if (scene.flows[p].alive) {
                left[p] -= rates[p] * (next - now);
                ends[p] = left[p] <= 1e-12 * world.plans[p].amount ? next : -1;
            }
        }
        now = next;
        for (std::size_t r = 0; r < world.schedules.size(); ++r) {
            for (const auto& change : world.schedules[r]) {
                scene.capacities[r] =
                    change.at.base() <= now ? change.capacity : scene.capacities[r];
            }
        }
    }
    return ends;
}

constexpr std::uint64_t kProbe = 1'000'000;
constexpr std::uint64_t kStart = 2'000'000;

class Player : public Listener
{
public:
    Player(NativeEngine& engine, const World& world)
        : ends(world.plans.size(), -1), engine_{engine}, world_{world}
    {
    }

    void finished(std::uint64_t token) override { ends[token] = engine_.now().base(); }
    void timer(std::uint64_t token) override
    {
        if (token == kProbe) {
            RC_ASSERT(engine_.check_optimality() == "");
            return;
        }
        const auto& plan = world_.plans[token - kStart];
        engine_.start({.amount = plan.amount,
                       .latency = Time::of(plan.begin - plan.start),
                       .uses = plan.flow.uses,
                       .share = plan.flow.share,
                       .rate_cap = plan.flow.cap,
                       .token = token - kStart});
    }

    std::vector<double> ends;

private:
    NativeEngine& engine_;
    const World& world_;
};

RC_GTEST_PROP(NativeEngine, EndsEveryActivityWhenTheTextbookDoes, ())
{
    const auto world = random_world();
    NativeEngine engine;
    engine.set_audit(true);
    for (std::size_t r = 0; r < world.capacities.size(); ++r) {
        engine.add_resource({"r", world.capacities[r], world.schedules[r]});
    }
    Player player{engine, world};
    for (std::size_t p = 0; p < world.plans.size(); ++p) {
        engine.set_timer(Time::of(world.plans[p].start), kStart + p);
    }
    for (int i = 0; i < 100; ++i) {
        engine.set_timer(Time::of(0.0718281828 * (i + 0.5)), kProbe);
    }
    engine.run(player);
    const auto expected = textbook_ends(world);
    std::vector<double> moved(world.capacities.size());
    for (std::size_t p = 0; p < expected.size(); ++p) {
        RC_ASSERT(std::abs(player.ends[p] - expected[p]) <= 1e-9 * expected[p]);
        for (const auto& use : world.plans[p].flow.uses) {
            moved[use.resource.index()] += use.consumption * world.plans[p].amount;
        }
    }
    for (std::size_t r = 0; r < moved.size(); ++r) {
        RC_ASSERT(std::abs(engine.served(ResourceId{r}) - moved[r]) <= 1e-12 * moved[r]);
    }
}

}  // namespace
