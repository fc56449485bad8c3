#include "cli/comm_spread.hpp"

#include <gtest/gtest.h>

#include "cli/results_page.hpp"
#include "config/load.hpp"
#include "core/literals.hpp"

namespace sim::cli
{
namespace
{

using namespace literals;

CommTable one_row(Time time, const std::string& binding)
{
    CommTable table;
    CommResult row;
    row.time = time;
    row.alone = time;
    row.busbw = 1 / time.base();
    row.binding = binding;
    table.rows.push_back(row);
    return table;
}

TEST(OverSeeds, TellsMeanAndPercentilesAndTheWordsOfTheMedian)
{
    const auto table = over_seeds({one_row(4_s, "c"), one_row(1_s, "a"), one_row(2_s, "b")});
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(table.seeds(), 3U);
    EXPECT_EQ(table.rows[0].binding, "b");
    EXPECT_DOUBLE_EQ(table.rows[0].time.base(), 7.0 / 3);
    // Ordered 1, 2, 4: the 5th percentile lies a tenth of the way from 1 to 2, the 95th nine
    // tenths of the way from 2 to 4.
    EXPECT_DOUBLE_EQ(table.spreads[0].time.p5, 1.1);
    EXPECT_DOUBLE_EQ(table.spreads[0].time.p95, 3.8);
    // Rates 1/4, 1/2, 1: their mean, not the rate of the mean time.
    EXPECT_DOUBLE_EQ(table.rows[0].busbw, 1.75 / 3);
    EXPECT_EQ(table.spreads[0].times, (std::vector<double>{4, 1, 2}));
}

TEST(OverSeeds, ASingleSeedIsItself)
{
    const auto table = over_seeds({one_row(2_s, "nic")});
    EXPECT_EQ(table.rows[0].time, 2_s);
    EXPECT_DOUBLE_EQ(table.spreads[0].time.p5, 2);
    EXPECT_DOUBLE_EQ(table.spreads[0].time.p95, 2);
}

TEST(CommDocument, ThePageListsEveryDatasetAndNoOther)
{
    const auto one = over_seeds({one_row(1_s, "nic")});
    EXPECT_EQ(page_of_results("comm"), datasets_of(comm_document(one, {})));
    const auto two = over_seeds({one_row(1_s, "nic"), one_row(2_s, "nic")});
    auto expected = page_of_results("comm");
    expected.merge(page_of_results("comm seeds"));
    EXPECT_EQ(expected, datasets_of(comm_document(two, {})));
}

TEST(CommBench, RanksAreWhereThePlacementPutsThem)
{
    // Four nodes on two leaves: round robin takes the first node of each leaf, then the second.
    const auto cluster = config::load_cluster(
        WEFTSIM_SOURCE_DIR "/topologies/hgx-h100-leaf-spine.yaml",
        {{"nodes", "4"}, {"fabric.nodes_per_leaf", "2"}, {"placement", "round_robin"}});
    const CommBench bench{cluster};
    ASSERT_EQ(bench.ranks(), 32U);
    EXPECT_EQ(bench.gpu_of(RankId{8}), GpuId{16});
    EXPECT_EQ(bench.gpu_of(RankId{16}), GpuId{8});
}

TEST(CommBench, AnotherSeedIsAnotherDrawOfTheHash)
{
    const auto cluster = config::load_cluster(
        WEFTSIM_SOURCE_DIR "/topologies/hgx-h100-leaf-spine.yaml", {{"fabric.routing", "ecmp"}});
    const auto time = [&](std::uint64_t seed) {
        CommBench bench{cluster, seed};
        const auto members = bench.first(bench.ranks());
        return bench
            .measure({.kind = collective::Kind::all_reduce, .size = 64_MiB, .members = members})
            .time;
    };
    EXPECT_EQ(time(1), time(1));
    EXPECT_NE(time(1), time(2));
}

}  // namespace
}  // namespace sim::cli
