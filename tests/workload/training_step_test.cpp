#include "workload/training_step.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/contract.hpp"
#include "workload/instant_machine.hpp"
#include "workload/shard.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;

const Stream& stream(const Program& program, const std::string& name)
{
    for (const auto& candidate : program.streams) {
        if (candidate.name == name) {
            return candidate;
        }
    }
    throw std::out_of_range{name};
}

std::string label(const TaskGraph& graph, const Program& program, const Task& task)
{
    const auto index = task.kind == TaskKind::kernel ? program.kernels[task.payload].label
                                                     : program.collectives[task.payload].label;
    return graph.labels[index];
}

/// Every dependence of the task as "stream label" or, a step back, "stream label-1".
std::vector<std::string> awaited(const TaskGraph& graph, const Program& program, const Task& task)
{
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < task.dependences; ++i) {
        const auto& on = program.dependences[task.first_dependence + i];
        const auto& other = program.streams[on.stream.index()];
        names.push_back(other.name + " " + label(graph, program, other.tasks[on.position]) +
                        (on.steps_back > 0 ? "-1" : ""));
    }
    return names;
}

/// Small enough to write the sums down: 2 tensor ranks, 4 replicas, 1 stage of 2 layers.
spec::WorkloadSpec small_replicated()
{
    auto workload = small_pipeline(1, 8);
    workload.plan.tensor = 2;
    workload.plan.sequence_parallel = true;
    workload.plan.data = 4;
    workload.plan.zero = 1;
    return workload;
}

InstantMachine::Seconds no_time()
{
    return [](const TaskGraph&, const Kernel&) { return 0.0; };
}

Bytes sum(const TaskGraph& graph, CollectiveKind kind, const std::string& name)
{
    const auto& program = graph.programs[0];
    Bytes bytes{};
    for (const auto& task : stream(program, "data").tasks) {
        const auto& collective = program.collectives[task.payload];
        const bool counts = collective.kind == kind && graph.labels[collective.label] == name;
        bytes += counts ? collective.size : Bytes{};
    }
    return bytes;
}

TEST(TrainingStep, AStepHasAsManyTasksAsItsRecipes)
{
    // Forward: embedding 1 kernel and 1 reduction; a layer 10 kernels and 4 collectives; the head
    // 5 kernels, 1 gather and 3 sums. Backward: a layer 13 kernels and 6 collectives, the head
    // 4 and 2, the embedding 1 and 1. Two micro-batches; then the update and the clearing.
    const auto graph = training_step(small_replicated());
    ASSERT_EQ(graph.programs.size(), 1U);
    const auto& program = graph.programs[0];
    EXPECT_EQ(stream(program, "compute").tasks.size(), 2U * (1 + 2 * 10 + 5 + 4 + 2 * 13 + 1) + 2);
    EXPECT_EQ(stream(program, "tensor").tasks.size(), 2U * (1 + 2 * 4 + 4 + 2 + 2 * 6 + 1));
    EXPECT_EQ(program.streams[0].name, "compute");
}

TEST(TrainingStep, RepeatedWorkIsListedOnce)
{
    auto more = small_replicated();
    more.global_batch = 64;
    const auto few = training_step(small_replicated());
    const auto many = training_step(more);
    EXPECT_EQ(few.programs[0].kernels.size(), many.programs[0].kernels.size());
    EXPECT_EQ(few.programs[0].collectives.size(), many.programs[0].collectives.size());
    // 10 forward; 13 backward, of which both norms are equal; embedding 2; the head 5 and 4 less a
    // norm each, which are the layer's; update and clearing: 10 + 12 + 2 + 7 + 2.
    EXPECT_EQ(few.programs[0].kernels.size(), 33U);
}

TEST(TrainingStep, ShardedOptimizersReduceScatterGradientsAndGatherParameters)
{
    const auto workload = small_replicated();
    const auto graph = training_step(workload);
    const auto parameters = stage_parameters(stages(workload)[0], shard(workload));
    // fp32 gradients, bf16 parameters.
    EXPECT_EQ(sum(graph, CollectiveKind::reduce_scatter, "gradient bucket"),
              Bytes::of(4 * parameters));
    EXPECT_EQ(sum(graph, CollectiveKind::all_gather, "parameter bucket"),
              Bytes::of(2 * parameters));
    EXPECT_EQ(sum(graph, CollectiveKind::all_reduce, "gradient norm"), Bytes::of(4));
}

TEST(TrainingStep, WithoutShardingGradientsAreAllReducedAndNothingIsGathered)
{
    auto workload = small_replicated();
    workload.plan.zero = 0;
    const auto graph = training_step(workload);
    const auto parameters = stage_parameters(stages(workload)[0], shard(workload));
    EXPECT_EQ(sum(graph, CollectiveKind::all_reduce, "gradient bucket"), Bytes::of(4 * parameters));
    EXPECT_EQ(sum(graph, CollectiveKind::all_gather, "parameter bucket"), Bytes{});
}

TEST(TrainingStep, AZeroGroupSmallerThanTheReplicasGathersInsideItself)
{
    auto workload = small_replicated();
    workload.plan.zero_group = 2;
    const auto graph = training_step(workload);
    const auto& program = graph.programs[0];
    const auto& gather = program.collectives[stream(program, "data").tasks.back().payload];
    EXPECT_EQ(gather.kind, CollectiveKind::all_gather);
    // Rank 6 has tensor 0 and data 3: its neighbour in a group of two is data 2, rank 4.
    const auto communicator = graph.slots[6 * graph.slots_per_rank + gather.slot];
    EXPECT_EQ(graph.communicators[communicator].members, (std::vector{RankId{4}, RankId{6}}));
    EXPECT_EQ(sum(graph, CollectiveKind::reduce_scatter, "gradient bucket"), Bytes{});
    EXPECT_GT(sum(graph, CollectiveKind::all_reduce, "gradient bucket"), Bytes{});
}

TEST(TrainingStep, MainJobReducesSeventeenGigabytesARank)
{
    // 8,820,367,360 parameters a rank (footprint_test derives them), two bytes each.
    const auto graph = training_step(llama3_70b_on_128());
    EXPECT_EQ(sum(graph, CollectiveKind::reduce_scatter, "gradient bucket"),
              Bytes::of(2 * 8'820'367'360));
}

TEST(TrainingStep, BucketsLeaveDuringTheLastBackwardOrAfterIt)
{
    auto workload = small_replicated();
    const auto first_wait = [&] {
        const auto graph = training_step(workload);
        const auto& program = graph.programs[0];
        return awaited(graph, program, stream(program, "data").tasks[0]).at(0);
    };
    // 512 words and 256 hidden a rank, 4 bytes: the head's gradient alone is half a megabyte.
    workload.framework.gradient_bucket = Bytes::of(500'000);
    EXPECT_EQ(first_wait(), "compute head wgrad");
    workload.framework.overlap_gradients = false;
    EXPECT_EQ(first_wait(), "compute embedding backward");
}

TEST(TrainingStep, TheOptimizerWaitsForTheNormAndTheNormForAllGradients)
{
    const auto graph = training_step(small_replicated());
    const auto& program = graph.programs[0];
    const auto& compute = stream(program, "compute").tasks;
    EXPECT_EQ(awaited(graph, program, compute[compute.size() - 2]),
              (std::vector<std::string>{"data gradient norm"}));
}

TEST(TrainingStep, AnEarlyLayerNeedsOnlyItsOwnBucketOfParameters)
{
    auto workload = small_replicated();
    const auto waits = [&] {
        const auto graph = training_step(workload);
        const auto& program = graph.programs[0];
        std::size_t count = 0;
        for (const auto& on : program.dependences) {
            count += on.steps_back;
        }
        const auto first = awaited(graph, program, stream(program, "compute").tasks[0]);
        EXPECT_EQ(first, (std::vector<std::string>{"data parameter bucket-1"}));
        return count;
    };
    // Embedding, two layers and the head each wait once.
    EXPECT_EQ(waits(), 4U);
    workload.framework.overlap_parameters = false;
    EXPECT_EQ(waits(), 1U);
}

TEST(TrainingStep, EachRankKnowsItsGroups)
{
    auto workload = small_pipeline(2, 4);
    workload.plan.tensor = 2;
    workload.plan.data = 2;
    const auto graph = training_step(workload);
    ASSERT_EQ(graph.ranks(), 8U);
    // Rank 3 is tensor 1, data 1, stage 0; stage 1 holds ranks 4 to 7, its successor is 7.
    const auto members = [&](const std::string& name) {
        const auto& program = graph.programs[0];
        const auto& task = stream(program, name).tasks[0];
        const auto slot = program.collectives[task.payload].slot;
        const auto& group = graph.communicators[graph.slots[3 * graph.slots_per_rank + slot]];
        std::vector<std::uint32_t> ranks;
        for (const auto member : group.members) {
            ranks.push_back(member.index());
        }
        return ranks;
    };
    using Ranks = std::vector<std::uint32_t>;
    EXPECT_EQ(members("tensor"), (Ranks{2, 3}));
    EXPECT_EQ(members("data"), (Ranks{1, 3}));
    EXPECT_EQ(members("forward send"), (Ranks{3, 7}));
    EXPECT_EQ(members("backward receive"), (Ranks{7, 3}));
    EXPECT_EQ(graph.program_of_rank[3], ProgramId{0});
    EXPECT_EQ(graph.program_of_rank[4], ProgramId{1});
}

TEST(TrainingStep, APipelineMessageIsTheRanksShareOfTheHiddenState)
{
    auto workload = small_pipeline(2, 4);
    const auto size = [&] {
        const auto graph = training_step(workload);
        const auto& program = graph.programs[0];
        return program.collectives[stream(program, "forward send").tasks[0].payload].size;
    };
    EXPECT_EQ(size(), Bytes::of(128 * 256 * 2));  // s b h two-byte numbers
    workload.plan.tensor = 2;
    EXPECT_EQ(size(), Bytes::of(128 * 256 * 2));
    workload.plan.sequence_parallel = true;
    EXPECT_EQ(size(), Bytes::of(128 * 256));
}

TEST(TrainingStep, OnlyTheEndsOfAPipelineLackADirection)
{
    const auto graph = training_step(small_pipeline(3, 4));
    EXPECT_EQ(graph.programs[0].streams.size(), 3U);
    EXPECT_EQ(graph.programs[1].streams.size(), 5U);
    EXPECT_EQ(graph.programs[2].streams.size(), 3U);
}

/// A layer's forward takes 1 s, its backward 2 s, everything else nothing.
double one_and_two(const TaskGraph& graph, const Kernel& kernel)
{
    const auto& name = graph.labels[kernel.label];
    return name == "qkv" ? 1 : name == "qkv dgrad" ? 2 : 0;
}

TEST(TrainingStep, EqualStagesTakeTheTextbooksTimeExactly)
{
    // (m + p - 1)(f + b) with two layers a stage: f = 2, b = 4; every step, not only the first.
    for (const int stages : {1, 2, 4}) {
        for (const int micro_batches : {1, 4, 8}) {
            const auto graph = training_step(small_pipeline(stages, micro_batches));
            InstantMachine machine{graph, 3, one_and_two};
            ASSERT_TRUE(machine.run());
            const double step = 6 * (micro_batches + stages - 1);
            for (std::uint32_t k = 0; k < 3; ++k) {
                EXPECT_EQ(machine.end_of_step(0, k), (k + 1) * step);
            }
        }
    }
}

TEST(TrainingStep, FullRecomputationRunsEveryForwardTwice)
{
    auto workload = small_pipeline(2, 4);
    workload.recompute = spec::Recompute::full;
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 1, one_and_two};
    ASSERT_TRUE(machine.run());
    EXPECT_EQ(machine.end_of_step(0, 0), (4 + 1) * (2 + 2 + 4));
}

TEST(TrainingStep, NoPlanWaitsForItself)
{
    for (const int tensor : {1, 2}) {
        for (const int pipeline : {1, 2, 4}) {
            for (const int data : {1, 2, 4}) {
                for (const int zero : {0, 1}) {
                    auto workload = small_pipeline(pipeline, 8);
                    workload.plan.tensor = tensor;
                    workload.plan.data = data;
                    workload.plan.zero = zero;
                    workload.plan.zero_group =
                        zero > 0 && data == 4 ? std::optional{2} : std::nullopt;
                    workload.plan.sequence_parallel = zero > 0;
                    workload.model.tied_embeddings = data == 2;
                    const auto graph = training_step(workload);
                    InstantMachine machine{graph, 2, no_time()};
                    EXPECT_TRUE(machine.run())
                        << tensor << ' ' << pipeline << ' ' << data << ' ' << zero;
                }
            }
        }
    }
}

TEST(TrainingStep, TiedEmbeddingsAreSummedBetweenTheEndsOfThePipeline)
{
    auto workload = small_pipeline(3, 4);
    workload.model.tied_embeddings = true;
    const auto graph = training_step(workload);
    // 1024 words of 256, fp32 gradients.
    EXPECT_EQ(sum(graph, CollectiveKind::all_reduce, "tied embedding"), Bytes::of(1024 * 256 * 4));
    EXPECT_EQ(graph.communicators.back().members, (std::vector{RankId{0}, RankId{2}}));
    EXPECT_EQ(graph.programs[1].streams.size(), 5U);  // no data stream in the middle
}

TEST(TrainingStep, StagesMayDifferInLayers)
{
    auto workload = small_pipeline(2, 4);
    workload.plan.layers_per_stage = {3, 1};
    const auto graph = training_step(workload);
    // Beside 23 kernels a layer and micro-batch, the first has the embedding's 2, the last the
    // head's 9; both update and clear.
    EXPECT_EQ(stream(graph.programs[0], "compute").tasks.size(), 4U * (3 * 23 + 2) + 2);
    EXPECT_EQ(stream(graph.programs[1], "compute").tasks.size(), 4U * (23 + 9) + 2);
}

TEST(TrainingStep, NoPlanLosesLayers)
{
    // Four layers over three stages, evenly or by a list that sums to three.
    auto workload = small_pipeline(2, 4);
    workload.plan.pipeline = 3;
    workload.plan.layers_per_stage.clear();
    EXPECT_THROW(static_cast<void>(training_step(workload)), ContractViolation);
    workload.plan.layers_per_stage = {1, 1, 1};
    EXPECT_THROW(static_cast<void>(training_step(workload)), ContractViolation);
}

TEST(TrainingStep, ModelFlopsCountMatricesSixTimesAndHalfTheAttentionSquare)
{
    const auto graph = training_step(llama3_70b_on_128());
    EXPECT_EQ(graph.tokens, 128 * 8192);
    // 80 layers of 855,638,016 and an output layer of 128,256 * 8,192 are 69.50e9; attention adds
    // 80 * 8192 (half of twice the keys) * 8192 = 5.37e9; six of each a token.
    const double matrices = 80 * 855'638'016.0 + 128'256.0 * 8192;
    const double attention = 80.0 * 8192 * 8192;
    EXPECT_DOUBLE_EQ(graph.model_flops.base(), 6 * (matrices + attention) * 128 * 8192);
}

TEST(TrainingStep, KernelsExecuteTheModelsFlopsAndFlashAttentionsRepetition)
{
    const auto workload = llama3_70b_on_128();
    const auto graph = training_step(workload);
    const auto& program = graph.programs[0];
    double executed = 0;
    for (const auto& task : stream(program, "compute").tasks) {
        executed += program.kernels[task.payload].operation.flops.base();
    }
    // Attention runs 3.5 forwards where the model counts 3: one sixth more of its part.
    const double repeated = 80.0 * 8192 * 8192 * 128 * 8192;
    EXPECT_NEAR(128 * executed / (graph.model_flops.base() + repeated), 1.0, 1e-12);
}

}  // namespace
}  // namespace sim::workload
