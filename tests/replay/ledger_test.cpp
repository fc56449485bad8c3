#include "replay/ledger.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/literals.hpp"

namespace sim::replay
{
namespace
{

using namespace sim::literals;
using workload::Purpose;

const RankId kRank{0};

Time entry(const Ledger& ledger, Entry entry)
{
    return ledger.entries(kRank)[static_cast<std::size_t>(entry)];
}

TEST(Ledger, EveryInstantOfTheWindowIsInOneEntry)
{
    Ledger ledger{1};
    ledger.charge(kRank, {Entry::compute_math, {}}, 0_s);
    ledger.open(1_s);
    ledger.charge(kRank, {Entry::exposed_data, {}}, 3_s);
    ledger.charge(kRank, {Entry::idle, {}}, 4_s);
    ledger.close(8_s);

    EXPECT_EQ(ledger.window(), 7_s);
    EXPECT_EQ(entry(ledger, Entry::compute_math), 2_s);
    EXPECT_EQ(entry(ledger, Entry::exposed_data), 1_s);
    EXPECT_EQ(entry(ledger, Entry::idle), 4_s);
    const auto& entries = ledger.entries(kRank);
    EXPECT_EQ(std::accumulate(entries.begin(), entries.end(), Time{}), 7_s);
}

TEST(Ledger, TheLaunchOfAKernelIsApartFromItsWork)
{
    Ledger ledger{1};
    ledger.open(0_s);
    ledger.charge(kRank, {Entry::compute_memory, 1_s}, 0_s);
    // Something else of the rank changes while the kernel is still being launched.
    ledger.charge(kRank, {Entry::compute_memory, 1_s}, 0.5_s);
    ledger.close(3_s);

    EXPECT_EQ(entry(ledger, Entry::launch), 1_s);
    EXPECT_EQ(entry(ledger, Entry::compute_memory), 2_s);
}

TEST(Ledger, AKernelStillBeingLaunchedAtTheEndIsAllLaunch)
{
    Ledger ledger{1};
    ledger.open(0_s);
    ledger.charge(kRank, {Entry::compute_math, 5_s}, 0_s);
    ledger.close(3_s);

    EXPECT_EQ(entry(ledger, Entry::launch), 3_s);
    EXPECT_EQ(entry(ledger, Entry::compute_math), 0_s);
}

TEST(Ledger, CollectivesOfOnePurposeThatRunTogetherCountOnce)
{
    Ledger ledger{1};
    ledger.transfer_started(kRank, Purpose::pipeline, 0_s);
    ledger.open(1_s);
    ledger.transfer_started(kRank, Purpose::pipeline, 2_s);
    ledger.transfer_ended(kRank, Purpose::pipeline, 3_s);
    ledger.transfer_ended(kRank, Purpose::pipeline, 4_s);
    ledger.transfer_started(kRank, Purpose::pipeline, 6_s);
    ledger.close(7_s);

    // [1, 4] and [6, 7].
    EXPECT_EQ(ledger.purpose(kRank, Purpose::pipeline).running, 4_s);
    EXPECT_EQ(ledger.purpose(kRank, Purpose::data).running, 0_s);
}

TEST(Ledger, EveryPurposeHasItsEntry)
{
    EXPECT_EQ(exposed(Purpose::tensor), Entry::exposed_tensor);
    EXPECT_EQ(exposed(Purpose::pipeline), Entry::exposed_pipeline);
    EXPECT_EQ(exposed(Purpose::data), Entry::exposed_data);
    EXPECT_EQ(exposed(Purpose::context), Entry::exposed_context);
    EXPECT_EQ(exposed(Purpose::expert), Entry::exposed_expert);
    EXPECT_EQ(exposed(Purpose::other), Entry::exposed_other);
    EXPECT_STREQ(name(Entry::exposed_other), "exposed_other");
    EXPECT_STREQ(name(Entry::idle), "idle");
    EXPECT_STREQ(name(Purpose::expert), "expert");
}

}  // namespace
}  // namespace sim::replay
