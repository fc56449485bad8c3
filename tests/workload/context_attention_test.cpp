#include <gtest/gtest.h>

#include "workload/graph_tasks.hpp"
#include "workload/instant_machine.hpp"
#include "workload/layer_operations.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;
using spec::ContextExchange;

/// Llama-3-8B's attention, 32 heads of 128 and 8 of keys and values, over four ranks that share
/// 8,192 tokens.
Shard over_four(ContextExchange exchange)
{
    spec::WorkloadSpec workload;
    workload.model = llama3_8b();
    workload.sequence = 8192;
    workload.global_batch = 1;
    workload.micro_batch = 1;
    workload.plan.context = 4;
    workload.plan.context_exchange = exchange;
    return shard(workload);
}

struct Moved {
    CollectiveKind kind;
    std::int64_t bytes;
    bool awaited_by_attention;
};

std::vector<Moved> moved(const Recipe& recipe)
{
    std::vector<Moved> result;
    for (std::size_t index = 0; index < recipe.items().size(); ++index) {
        const auto& item = recipe.items()[index];
        if (item.kind != TaskKind::collective) {
            continue;
        }
        bool awaited = false;
        for (const auto& other : recipe.items()) {
            awaited |= other.after == static_cast<int>(index) &&
                       other.operation.kind == spec::OperationKind::attention;
        }
        result.push_back({item.collective, item.size.base(), awaited});
    }
    return result;
}

double attention_flops(const Recipe& recipe)
{
    double flops = 0;
    for (const auto& item : recipe.items()) {
        const bool attention = item.operation.kind == spec::OperationKind::attention;
        flops += attention ? item.operation.flops.base() : 0;
    }
    return flops;
}

constexpr std::int64_t kAllKeysAndValues = 2LL * 8192 * 2 * 8 * 128;  // 2 bytes each

TEST(ContextAttention, GatheringMovesAllKeysAndValuesBeforeAttentionBegins)
{
    const auto part = over_four(ContextExchange::all_gather);
    const auto forward = moved(layer_forward(part, {}, false));
    ASSERT_EQ(forward.size(), 1U);
    EXPECT_EQ(forward[0].kind, CollectiveKind::all_gather);
    EXPECT_EQ(forward[0].bytes, kAllKeysAndValues);
    EXPECT_TRUE(forward[0].awaited_by_attention);

    const auto backward = moved(layer_backward(part, {}));
    ASSERT_EQ(backward.size(), 2U);
    EXPECT_EQ(backward[0].kind, CollectiveKind::all_gather);
    EXPECT_TRUE(backward[0].awaited_by_attention);
    EXPECT_EQ(backward[1].kind, CollectiveKind::reduce_scatter);
    EXPECT_EQ(backward[1].bytes, kAllKeysAndValues);
}

TEST(ContextAttention, TheRingMovesAsMuchButIsHiddenUnderWhatTheRankHas)
{
    const auto part = over_four(ContextExchange::ring);
    const auto forward = moved(layer_forward(part, {}, false));
    ASSERT_EQ(forward.size(), 1U);
    EXPECT_EQ(forward[0].bytes, kAllKeysAndValues);
    std::int64_t gradients = 0;
    for (const auto& each : moved(layer_backward(part, {}))) {
        gradients += each.kind == CollectiveKind::reduce_scatter ? each.bytes : 0;
    }
    EXPECT_EQ(gradients, kAllKeysAndValues);
}

TEST(ContextAttention, ExchangingHeadsMovesInputsAheadAndOutputsBack)
{
    // 2,048 tokens of a rank: 32 + 2 x 8 heads of 128 go out, 32 come back, two bytes each.
    const std::int64_t inputs = 2LL * 2048 * 48 * 128;
    const std::int64_t output = 2LL * 2048 * 32 * 128;
    const auto part = over_four(ContextExchange::all_to_all);
    const auto forward = moved(layer_forward(part, {}, false));
    ASSERT_EQ(forward.size(), 2U);
    EXPECT_EQ(forward[0].bytes, inputs);
    EXPECT_EQ(forward[1].bytes, output);
    const auto backward = moved(layer_backward(part, {}));
    ASSERT_EQ(backward.size(), 2U);
    EXPECT_EQ(backward[0].bytes, output);
    EXPECT_EQ(backward[1].bytes, inputs);
    for (const auto& each : forward) {
        EXPECT_EQ(each.kind, CollectiveKind::all_to_all);
    }
}

TEST(ContextAttention, ARankAttendsToAQuarterWhateverIsExchanged)
{
    // Causal: s^2 / 2 pairs, 4 operations a pair and column; the backward pass 2.5 times that.
    const double quarter = 4 * 8192.0 * 8192 / 2 * 32 * 128 / 4;
    for (const auto exchange :
         {ContextExchange::ring, ContextExchange::all_gather, ContextExchange::all_to_all}) {
        const auto part = over_four(exchange);
        EXPECT_DOUBLE_EQ(attention_flops(layer_forward(part, {}, false)), quarter);
        EXPECT_DOUBLE_EQ(attention_flops(layer_backward(part, {})), 2.5 * quarter);
    }
}

TEST(ContextAttention, NoExchangeWaitsForItself)
{
    for (const auto exchange :
         {ContextExchange::ring, ContextExchange::all_gather, ContextExchange::all_to_all}) {
        auto workload = small_pipeline(2, 4);
        workload.plan.context = 2;
        workload.plan.context_exchange = exchange;
        const auto graph = training_step(workload);
        InstantMachine machine{graph, 2, [](const auto&, const auto&) { return 0.0; }};
        EXPECT_TRUE(machine.run());
    }
}

}  // namespace
}  // namespace sim::workload
