#include "sweep/fit.hpp"

#include <gmock/gmock.h>

#include "results/summary.hpp"
#include "sweep/small_job.hpp"

namespace sim::sweep
{
namespace
{

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto kRoomy = Bytes::of(80'000'000'000);

Bytes needed(const spec::ExperimentSpec& job) { return fit(job).stages.front().total(); }

TEST(Fit, ExactlyEnoughIsEnoughAndOneByteLessIsNot)
{
    const auto need = needed(small_job(kRoomy));
    EXPECT_TRUE(fit(small_job(need)).fits());
    EXPECT_FALSE(fit(small_job(need - Bytes::of(1))).fits());
}

TEST(Fit, AShortageSaysWhatIsNeededWhatThereIsAndByContent)
{
    Fit tight;
    tight.gpu_memory = Bytes::of(std::int64_t{8} << 30);
    tight.stages.resize(1);
    tight.stages[0].weights = Bytes::of(std::int64_t{6} << 30);
    tight.stages[0].optimizer = Bytes::of(std::int64_t{4} << 30);
    EXPECT_EQ(shortage(tight),
              "a GPU needs 10 GiB and has 8 GiB, 2 GiB too little: weights 6 GiB, gradients 0 B, "
              "optimizer 4 GiB, activations 0 B, temporary 0 B, reserved 0 B");
}

TEST(Fit, AShortageNamesTheStageWhenThereAreSeveral)
{
    Fit tight;
    tight.stages.resize(2);
    tight.stages[1].weights = Bytes::of(1);
    EXPECT_THAT(shortage(tight), StartsWith("a GPU of stage 1 needs 1 B"));
}

TEST(Fit, ShardingIsARemedyWhenTheShardedJobFitsAndIsNotWhenItDoesNot)
{
    auto sharded = small_job(kRoomy);
    sharded.workload.plan.zero = 1;
    const auto need = needed(sharded);
    EXPECT_THAT(remedies(small_job(need)), Contains(StartsWith("workload.parallel.zero: 1 (")));
    EXPECT_THAT(remedies(small_job(need - Bytes::of(1))),
                testing::Not(Contains(StartsWith("workload.parallel.zero: 1 ("))));
}

TEST(Fit, WhenNoSingleChangeIsEnoughAllAreTriedTogether)
{
    auto job = small_job(kRoomy);
    auto all = job;
    all.workload.plan.zero = 1;
    all.workload.recompute = spec::Recompute::full;
    all.workload.micro_batch = 1;
    job.workload.plan.tensor = all.workload.plan.tensor = 8;  // neither wider nor deeper
    job.workload.plan.data = all.workload.plan.data = 1;
    job.cluster.node.gpu.memory = needed(all);
    const auto found = remedies(job);
    ASSERT_FALSE(found.empty());
    EXPECT_THAT(found.back(), HasSubstr("workload.recompute: full"));
}

TEST(Fit, TheMildestChangeOfAKindIsTheRemedy)
{
    // Micro-batches of four sequences halve their activations with two, which is enough.
    auto job = small_job(kRoomy);
    job.workload.micro_batch = 4;
    job.workload.global_batch = 32;
    auto half = job;
    half.workload.micro_batch = 2;
    job.cluster.node.gpu.memory = needed(half);
    std::vector<std::string> keys;
    for (const auto& remedy : remedies_of(job)) {
        keys.push_back(remedy.keys);
    }
    EXPECT_THAT(keys, Contains("workload.micro_batch: 2"));
    EXPECT_THAT(keys, testing::Not(Contains("workload.micro_batch: 1")));
}

TEST(Fit, ARemedyIsAnExperimentThatFits)
{
    auto sharded = small_job(kRoomy);
    sharded.workload.plan.zero = 1;
    const auto found = remedies_of(small_job(needed(sharded)));
    ASSERT_FALSE(found.empty());
    for (const auto& remedy : found) {
        const auto after = fit(remedy.experiment);
        EXPECT_TRUE(after.fits()) << remedy.keys;
        EXPECT_EQ(after.stages[results::fullest_stage(after.stages)].total(), remedy.needed);
    }
}

TEST(Fit, ActivationsMayGoWhereThereIsHostMemory)
{
    auto job = small_job(kRoomy);
    job.workload.offload.emplace();
    job.workload.offload->activations = {spec::DataTier::dram, 1, 8};
    job.workload.offload->buffers = {.count = 1, .size = Bytes::of(1 << 20)};
    const auto need = needed(job);
    job.workload.offload.reset();
    ASSERT_GT(needed(job), need);
    job.cluster.node.gpu.memory = need;
    const auto offload = Contains(StartsWith("workload.activation_offload: 8 ("));
    EXPECT_THAT(remedies(job), testing::Not(offload));
    job.cluster.node.host.dram = spec::HostDramSpec{};
    EXPECT_THAT(remedies(job), testing::Not(offload));  // it holds nothing
    job.cluster.node.host.dram->capacity = Bytes::of(1'000'000'000'000);
    EXPECT_THAT(remedies(job), offload);
}

TEST(Fit, NothingHelpsAJobThatIsFarTooLarge)
{
    EXPECT_TRUE(remedies(small_job(Bytes::of(1000))).empty());
}

}  // namespace
}  // namespace sim::sweep
