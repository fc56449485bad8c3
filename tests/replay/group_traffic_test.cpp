#include "replay/group_traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/literals.hpp"
#include "replay/run.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

/// Two stages of two tensor ranks, two replicas; four micro-batches of 1,024 tokens.
spec::ExperimentSpec job(int nodes = 4, int gpus = 2)
{
    spec::ExperimentSpec experiment;
    experiment.cluster = ideal_cluster(nodes, gpus);
    auto& workload = experiment.workload;
    workload.model = {.name = "small",
                      .hidden = 1024,
                      .layers = 4,
                      .heads = 8,
                      .kv_heads = 8,
                      .head_dim = 128,
                      .ffn = 4096,
                      .vocab = 4096};
    workload.sequence = 1024;
    workload.micro_batch = 1;
    workload.global_batch = 8;
    workload.gradient_precision = spec::Precision::bf16;
    workload.framework.gradient_bucket = 1_GB;
    workload.plan.tensor = 2;
    workload.plan.pipeline = 2;
    workload.plan.data = 2;
    workload.plan.layers_per_stage = {2, 2};
    return experiment;
}

Result watched(const spec::ExperimentSpec& experiment, Fold fold = Fold::automatic)
{
    Options options;
    options.watch = true;
    options.fold = fold;
    return run(experiment, options);
}

struct Sums {
    std::map<std::string, double> all;
    std::map<std::string, double> over_nics;
};

Sums of_groups(const Result& result)
{
    Sums sums;
    for (const auto& group : result.observed->groups) {
        sums.all[group.purpose] += static_cast<double>(group.groups) * group.bytes;
        sums.over_nics[group.purpose] += static_cast<double>(group.groups) * group.nic_bytes;
    }
    return sums;
}

void expect_sums_of_ranks(const Result& result)
{
    Sums ranks;
    for (const auto& its : result.classes) {
        for (const auto& sent : its.communication) {
            ranks.all[sent.purpose] += static_cast<double>(its.multiplicity) * sent.bytes_sent;
            ranks.over_nics[sent.purpose] +=
                static_cast<double>(its.multiplicity) * sent.nic_bytes_sent;
        }
    }
    const auto groups = of_groups(result);
    ASSERT_EQ(groups.all.size(), ranks.all.size());
    for (const auto& [purpose, bytes] : ranks.all) {
        EXPECT_NEAR(groups.all.at(purpose), bytes, 1e-9 * bytes) << purpose;
        EXPECT_NEAR(groups.over_nics.at(purpose), ranks.over_nics[purpose], 1e-9 * bytes)
            << purpose;
    }
}

TEST(GroupTraffic, SumsToWhatTheRanksSendAndToTheirPairs)
{
    const auto result = watched(job());
    expect_sums_of_ranks(result);
    std::map<std::string, double> pairs;
    for (const auto& pair : result.observed->pairs) {
        pairs[pair.purpose] += pair.bytes;
    }
    const auto groups = of_groups(result);
    for (const auto& [purpose, bytes] : groups.over_nics) {
        EXPECT_NEAR(pairs[purpose], bytes, 1e-9 * bytes) << purpose;
    }
    EXPECT_GT(pairs["pipeline"], 0);
}

TEST(GroupTraffic, SaysWhatGoesFromStageToStage)
{
    // Of each of two replicas and two tensor ranks: four micro-batches of 1,024 tokens of 1,024
    // numbers of two bytes go on, and their gradients come back.
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> between;
    const auto result = watched(job());
    for (const auto& group : result.observed->groups) {
        if (group.purpose == "pipeline") {
            between[{group.from_stage, group.to_stage}] += group.bytes;
            EXPECT_EQ(group.ranks, 2);
        } else {
            EXPECT_EQ(group.from_stage, group.to_stage) << group.purpose;
        }
    }
    const double one_way = 4.0 * 4 * 1024 * 1024 * 2;
    EXPECT_EQ(between, (std::map<std::pair<std::uint32_t, std::uint32_t>, double>{
                           {{0, 1}, one_way}, {{1, 0}, one_way}}));
}

TEST(GroupTraffic, SaysWhatEachTensorAndDataGroupSends)
{
    std::map<std::string, int> groups;
    const auto result = watched(job());
    for (const auto& group : result.observed->groups) {
        groups[group.purpose] += 1;
        EXPECT_EQ(group.groups, 1);
    }
    // Eight ranks are four tensor groups of two, and four data groups of two; messages each way
    // between four pairs of ranks.
    EXPECT_EQ(groups, (std::map<std::string, int>{{"tensor", 4}, {"data", 4}, {"pipeline", 8}}));
}

TEST(GroupTraffic, IsTheSameOfFoldedAndUnfoldedRuns)
{
    const auto folded = watched(job()).observed->groups;
    const auto whole = watched(job(), Fold::off).observed->groups;
    ASSERT_EQ(folded.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_EQ(folded[i].first_rank, whole[i].first_rank);
        EXPECT_DOUBLE_EQ(folded[i].bytes, whole[i].bytes);
    }
}

TEST(GroupTraffic, OfManyRanksTellsGroupsThatAreAlikeOnce)
{
    // 1,040 ranks: 520 tensor groups, 260 pairs of neighbours in the pipeline each way twice.
    auto experiment = job(520, 2);
    experiment.workload.plan.data = 260;
    experiment.workload.global_batch = 4 * 260;
    const auto result = watched(experiment);
    EXPECT_LT(result.observed->groups.size(), 20);
    expect_sums_of_ranks(result);
    std::uint64_t tensor = 0;
    for (const auto& group : result.observed->groups) {
        tensor += group.purpose == "tensor" ? group.groups : 0;
    }
    EXPECT_EQ(tensor, 520);
}

}  // namespace
}  // namespace sim::replay::test
