#include "results/summary.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "results/sample.hpp"

namespace sim::results
{
namespace
{

TEST(Statistics, PercentilesInterpolateBetweenTheOrderedValues)
{
    // 0..20: the 5th percentile lies at 20 * 0.05 = 1, the 95th at 19; the mean is 10.
    std::vector<double> values(21);
    std::iota(values.rbegin(), values.rend(), 0.0);
    const auto s = statistics(values);
    EXPECT_DOUBLE_EQ(s.p5, 1);
    EXPECT_DOUBLE_EQ(s.p95, 19);
    EXPECT_DOUBLE_EQ(s.mean, 10);
    EXPECT_DOUBLE_EQ(s.min, 0);
    EXPECT_DOUBLE_EQ(s.max, 20);
}

TEST(Statistics, OfTwoValuesLieATwentiethInside)
{
    const auto s = statistics({2, 1});
    EXPECT_DOUBLE_EQ(s.p5, 1.05);
    EXPECT_DOUBLE_EQ(s.p95, 1.95);
}

TEST(Statistics, OfEqualValuesAreThatValueToTheLastBit)
{
    const auto s = statistics({0.1, 0.1, 0.1});
    EXPECT_EQ(s.mean, 0.1);
    EXPECT_EQ(s.p5, 0.1);
    EXPECT_EQ(s.p95, 0.1);
}

TEST(Summary, ClassesCountByTheirRanks)
{
    auto point = sample::done({10});
    auto& classes = point.runs[0].result.classes;
    classes[0].multiplicity = 3;  // 3 ranks wait 2 s, one waits 0 s: 1.5 s on average
    const auto s = summarise(point);
    ASSERT_EQ(s.communication.size(), 1);
    EXPECT_DOUBLE_EQ(s.communication[0].exposed, 1.5);
    EXPECT_DOUBLE_EQ(s.communication[0].hidden, 1);
    EXPECT_DOUBLE_EQ(std::accumulate(s.ledger.begin(), s.ledger.end(), 0.0), 10);
}

TEST(Summary, SeedsAreAveragedAndTheirBindingsVote)
{
    auto point = sample::done({10, 11, 15});
    point.runs[1].result.binding = "leaf_spine";
    point.runs[2].result.binding = "leaf_spine";
    const auto s = summarise(point);
    EXPECT_EQ(s.seeds, 3);
    EXPECT_DOUBLE_EQ(s.step.mean, 12);
    EXPECT_EQ(s.binding, "leaf_spine");
    EXPECT_EQ(s.activities, 21);
}

TEST(Summary, OneSeedKeepsItsFingerprintAndTheOrderOfSeedsMatters)
{
    EXPECT_EQ(summarise(sample::done({10})).fingerprint, 0xabcdef);
    auto point = sample::done({10, 11});
    point.runs[1].result.fingerprint = 1;
    const auto one_way = summarise(point).fingerprint;
    std::swap(point.runs[0].result.fingerprint, point.runs[1].result.fingerprint);
    EXPECT_NE(summarise(point).fingerprint, one_way);
}

TEST(Summary, TheFullestStageIsTheOneWithTheLargestTotal)
{
    std::vector<workload::Footprint> stages(3);
    stages[0].weights = Bytes::of(5);
    stages[1].activations = Bytes::of(7);
    stages[2].optimizer = Bytes::of(6);
    EXPECT_EQ(fullest_stage(stages), 1);
}

}  // namespace
}  // namespace sim::results
