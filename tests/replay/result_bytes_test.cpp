#include "replay/result_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/literals.hpp"

namespace sim::replay
{
namespace
{

using namespace sim::literals;

Result sample()
{
    Result result;
    result.step = 1.25_s;
    result.tokens_per_second = 1;
    result.tokens_per_second_per_gpu = 2;
    result.model_flops_per_second_per_gpu = 3;
    result.mfu = 0.4;
    result.hfu = 0.5;
    RankClass ranks;
    ranks.multiplicity = 2;
    ranks.members = {0, 7};
    ranks.stage = 3;
    ranks.ledger[1] = 0.5_s;
    CommunicationTotals totals;
    totals.purpose = "data";
    totals.exposed = 0.1_s;
    totals.hidden = 0.2_s;
    totals.bytes_sent = 9;
    totals.nic_bytes_sent = 8;
    totals.binding = "nic";
    ranks.communication = {totals};
    result.classes = {ranks, RankClass{}};
    ResourceClass resources;
    resources.name = "nic";
    resources.members = 16;
    resources.mean_utilisation = 0.6;
    resources.peak_utilisation = 0.7;
    resources.capacity = 5e10;
    result.resources = {resources};
    result.binding = "sm";
    result.footprint.resize(2);
    result.footprint[1].weights = 5_GB;
    auto& observed = result.observed.emplace();
    observed.groups = {{"data", 1, 2, 3, 4, 5, 6, 7, 8}};
    observed.memory_bin = 0.5_s;
    observed.memory = {{1, {2, 3}, {4, 5}, {6, 7}, {8, 9}}};
    observed.load = {{{"node0", "node", 2, 0.5}}, {{0, 1, "nic", 3, 0.1, 0.2}}};
    result.memory = {0.5_s, {{1, "GPU memory", 80_GB, "weights", {1_GB, 2_GB}}}, {1}, {3, 4}};
    result.activities = 11;
    result.fingerprint = 12;
    result.engine_options = {"a:1", "b:2"};
    return result;
}

TEST(ResultBytes, ComeBackAsTheyWent)
{
    const auto sent = sample();
    const auto got = from_bytes(to_bytes(sent));

    EXPECT_EQ(got.step, sent.step);
    EXPECT_EQ(got.hfu, sent.hfu);
    ASSERT_EQ(got.classes.size(), 2U);
    EXPECT_EQ(got.classes[0].members, sent.classes[0].members);
    EXPECT_EQ(got.classes[0].ledger, sent.classes[0].ledger);
    ASSERT_EQ(got.classes[0].communication.size(), 1U);
    EXPECT_EQ(got.classes[0].communication[0].binding, "nic");
    EXPECT_EQ(got.classes[0].communication[0].nic_bytes_sent, 8);
    EXPECT_EQ(got.resources[0].name, "nic");
    EXPECT_EQ(got.resources[0].capacity, 5e10);
    EXPECT_EQ(got.footprint[1].weights, 5_GB);
    ASSERT_TRUE(got.observed);
    EXPECT_EQ(got.observed->groups.at(0).nic_bytes, 8);
    EXPECT_EQ(got.observed->memory.at(0).host_activations, (std::vector<double>{8, 9}));
    EXPECT_EQ(got.observed->load.ways.at(0).peak, 0.2);
    EXPECT_EQ(got.memory.held.at(0).bytes, (std::vector<Bytes>{1_GB, 2_GB}));
    EXPECT_EQ(got.memory.micro_batches, (std::vector<double>{3, 4}));
    EXPECT_EQ(got.fingerprint, 12U);
    EXPECT_EQ(got.engine_options, sent.engine_options);
    EXPECT_EQ(to_bytes(got), to_bytes(sent));
}

TEST(ResultBytes, CutShortAnywhereAreRefused)
{
    const auto bytes = to_bytes(sample());
    for (std::size_t size = 4; size < bytes.size(); ++size) {
        EXPECT_THROW(static_cast<void>(from_bytes(bytes.substr(0, size))), Error) << size;
    }
    EXPECT_THROW(static_cast<void>(from_bytes(bytes + "x")), Error);
}

TEST(ResultBytes, OfAnotherVersionAreRefused)
{
    auto bytes = to_bytes(sample());
    bytes[0] = static_cast<char>(bytes[0] + 1);
    EXPECT_THROW(static_cast<void>(from_bytes(bytes)), Error);
}

}  // namespace
}  // namespace sim::replay
