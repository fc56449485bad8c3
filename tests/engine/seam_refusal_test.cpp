#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "engine/seam.hpp"

namespace sim::engine::testing
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// What no engine accepts, in the same words.
class SeamRefusal : public Seam
{
};

INSTANTIATE_TEST_SUITE_P(Engines, SeamRefusal, ::testing::Values(Kind::native, Kind::simgrid),
                         engine_name);

struct Refusal {
    std::string words;
    std::function<void(Engine&, ResourceId)> act;
};

TEST_P(SeamRefusal, NegativeNumbersAndNaNAreRefusedWithTheResourcesName)
{
    const auto with = [](Activity activity, double consumption = 1) {
        return [activity, consumption](Engine& engine, ResourceId nic) mutable {
            const std::vector<Use> uses{{nic, consumption}};
            activity.uses = uses;
            engine.start(activity);
        };
    };
    const std::vector<Refusal> refusals{
        {"resource \"hbm\": capacity is -1 (must be 0 or more; infinity is unlimited)",
         [](Engine& engine, ResourceId) {
             engine.add_resource({"hbm", -1, {}});
         }},
        {"resource \"hbm\": capacity is nan (must be 0 or more; infinity is unlimited)",
         [](Engine& engine, ResourceId) {
             engine.add_resource({"hbm", kNaN, {}});
         }},
        {"resource \"hbm\": capacity from 3 s on is -2 (must be 0 or more; infinity is unlimited)",
         [](Engine& engine, ResourceId) {
             engine.add_resource({"hbm", 1, {{Time::of(3), -2}}});
         }},
        {"resource \"hbm\": the time of a capacity change is 1 (must not come before the previous "
         "one, 3 s)",
         [](Engine& engine, ResourceId) {
             engine.add_resource({"hbm", 1, {{Time::of(3), 2}, {Time::of(1), 2}}});
         }},
        {"activity on \"nic\": amount is -1 (must be finite and 0 or more)", with({.amount = -1})},
        {"activity on \"nic\": amount is nan (must be finite and 0 or more)",
         with({.amount = kNaN})},
        {"activity on \"nic\": latency is -0.5 (must be finite and 0 or more)",
         with({.latency = Time::of(-0.5)})},
        {"activity on \"nic\": share is 0 (must be finite and above 0)",
         with({.amount = 1, .share = 0})},
        {"activity on \"nic\": share is nan (must be finite and above 0)",
         with({.amount = 1, .share = kNaN})},
        {"activity on \"nic\": rate cap is -3 (must be above 0; infinity is none)",
         with({.amount = 1, .rate_cap = -3})},
        {"activity on \"nic\": consumption of \"nic\" is -1 (must be finite and 0 or more)",
         with({.amount = 1}, -1)},
        {"activity on \"nic\": consumption of \"nic\" is nan (must be finite and 0 or more)",
         with({.amount = 1}, kNaN)},
        {"resource \"nic\": reservation is -1 (must be finite and 0 or more)",
         [](Engine& engine, ResourceId nic) { engine.reserve(nic, -1); }},
        {"resource \"nic\": reservation is nan (must be finite and 0 or more)",
         [](Engine& engine, ResourceId nic) { engine.release(nic, kNaN); }},
        {"timer: time is nan (must be finite and 0 or more)",
         [](Engine& engine, ResourceId) { engine.set_timer(Time::of(kNaN), 0); }},
    };
    for (const Refusal& refusal : refusals) {
        EXPECT_EQ(words_of<std::invalid_argument>([&refusal](Stage& stage) {
                      const auto nic = stage.engine->add_resource({"nic", 1 * kGB, {}});
                      refusal.act(*stage.engine, nic);
                  }),
                  refusal.words);
    }
}

}  // namespace
}  // namespace sim::engine::testing
