#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workload/graph_tasks.hpp"
#include "workload/instant_machine.hpp"
#include "workload/shard.hpp"
#include "workload/training_step.hpp"
#include "workload/workloads.hpp"

namespace sim::workload
{
namespace
{

using namespace testing;
using spec::Bucketing;

/// Every collective of a program with this label, in bytes.
std::vector<std::int64_t> sizes(const TaskGraph& graph, std::size_t program,
                                const std::string& label)
{
    std::vector<std::int64_t> result;
    for (const auto& stream : graph.programs[program].streams) {
        for (const auto& task : stream.tasks) {
            if (task.kind != TaskKind::collective) {
                continue;
            }
            const auto& collective = graph.programs[program].collectives[task.payload];
            if (graph.labels[collective.label] == label) {
                result.push_back(collective.size.base());
            }
        }
    }
    return result;
}

/// Two stages of two layers, two replicas, fp32 gradients, 4 micro-batches each.
spec::WorkloadSpec replicated_pipeline()
{
    auto workload = small_pipeline(2, 8);
    workload.plan.data = 2;
    workload.framework.gradient_bucket = Bytes::of(1'000'000);
    return workload;
}

std::int64_t gradient_bytes(const spec::WorkloadSpec& workload, std::size_t stage)
{
    return 4 * stage_parameters(stages(workload)[stage], shard(workload));
}

std::int64_t sum(const std::vector<std::int64_t>& values)
{
    std::int64_t total = 0;
    for (const auto value : values) {
        total += value;
    }
    return total;
}

double one_and_two(const TaskGraph& graph, const Kernel& kernel)
{
    const auto& name = graph.labels[kernel.label];
    return name == "qkv" ? 1 : name == "qkv dgrad" ? 2 : 0;
}

TEST(FrameworkSchemes, EveryBucketingSumsEveryGradientOnce)
{
    for (const auto bucketing : {Bucketing::size, Bucketing::first_stage, Bucketing::layer,
                                 Bucketing::chunk, Bucketing::stage}) {
        for (const bool tied : {false, true}) {
            for (const int chunks : {1, 2}) {
                auto workload = replicated_pipeline();
                workload.framework.bucketing = bucketing;
                workload.model.tied_embeddings = tied;
                workload.plan.chunks = chunks;
                const auto graph = training_step(workload);
                for (const std::size_t stage : {0U, 1U}) {
                    EXPECT_EQ(sum(sizes(graph, stage, "gradient bucket")),
                              gradient_bytes(workload, stage));
                }
            }
        }
    }
}

TEST(FrameworkSchemes, AStageAChunkOrALayerIsABucket)
{
    auto workload = replicated_pipeline();
    const auto buckets = [&](Bucketing bucketing, std::size_t stage) {
        workload.framework.bucketing = bucketing;
        return sizes(training_step(workload), stage, "gradient bucket").size();
    };
    EXPECT_EQ(buckets(Bucketing::stage, 0), 1U);
    EXPECT_EQ(buckets(Bucketing::chunk, 0), 3U);  // a layer where there is but one chunk
    EXPECT_EQ(buckets(Bucketing::layer, 0), 3U);  // the embedding and two layers
    EXPECT_EQ(buckets(Bucketing::first_stage, 1), 1U);
    EXPECT_EQ(buckets(Bucketing::first_stage, 0), buckets(Bucketing::size, 0));
    workload.plan.chunks = 2;
    EXPECT_EQ(buckets(Bucketing::stage, 0), 1U);
    EXPECT_EQ(buckets(Bucketing::chunk, 0), 2U);
}

TEST(FrameworkSchemes, OwnersBroadcastWholeTensorsOneAfterAnother)
{
    auto workload = small_pipeline(1, 64);
    workload.plan.data = 64;
    workload.plan.zero = 1;
    workload.framework.parameter_exchange = spec::ParameterExchange::broadcast;
    const auto graph = training_step(workload);
    const auto broadcasts = sizes(graph, 0, "parameter broadcast");
    // Nine tensors in each of two layers, the embedding, the output projection, the last norm.
    EXPECT_EQ(broadcasts.size(), 2U * 9 + 3);
    EXPECT_EQ(sum(broadcasts), 2 * stage_parameters(stages(workload)[0], shard(workload)));
    workload.plan.zero_group = 8;
    EXPECT_EQ(sizes(training_step(workload), 0, "parameter broadcast").size(), 8U);
}

TEST(FrameworkSchemes, TheHostGoesOnWhenTheLastOwnersParametersHaveArrived)
{
    auto workload = small_pipeline(1, 8);
    workload.plan.data = 8;
    workload.plan.zero = 1;
    workload.framework.parameter_exchange = spec::ParameterExchange::broadcast;
    workload.framework.step_overhead = Time::of(1);
    const auto graph = training_step(workload);
    const auto& program = graph.programs[0];
    std::size_t waits = 0;
    for (const auto& named : named_tasks(graph, 0)) {
        for (std::uint32_t at = 0; named.label == "end of step" && at < named.task->dependences;
             ++at) {
            const auto& awaited = program.dependences[named.task->first_dependence + at];
            const auto& stream = program.streams[awaited.stream.index()];
            const bool last = awaited.position + 1 == stream.tasks.size();
            waits += last && stream.name == "data" && awaited.steps_back == 0 ? 1 : 0;
        }
    }
    EXPECT_EQ(waits, 1U);
}

TEST(FrameworkSchemes, InterleavedStagesHaveTheBubbleOfTheirChunks)
{
    // A chunk of one layer takes 1 s forward and 2 s back: m chunks 3 + (p - 1) 3.
    for (const bool blocking : {false, true}) {
        for (const int stages : {2, 4}) {
            auto workload = small_pipeline(stages, 8);
            workload.plan.chunks = 2;
            workload.framework.blocking_transfers = blocking;
            const auto graph = training_step(workload);
            InstantMachine machine{graph, 2, one_and_two};
            ASSERT_TRUE(machine.run()) << stages << blocking;
            if (!blocking) {
                EXPECT_EQ(machine.end_of_step(0, 0), 8 * 2 * 3 + (stages - 1) * 3);
            } else {
                EXPECT_GE(machine.end_of_step(0, 0), 8 * 2 * 3 + (stages - 1) * 3);
            }
        }
    }
}

TEST(FrameworkSchemes, GPipeTakesAsLongAsAlternatingWithEqualStages)
{
    auto workload = small_pipeline(4, 8);
    workload.plan.schedule = spec::Schedule::all_forward;
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 1, one_and_two};
    ASSERT_TRUE(machine.run());
    EXPECT_EQ(machine.end_of_step(0, 0), (8 + 3) * 6);  // (m + p - 1)(f + b)
}

TEST(FrameworkSchemes, BlockingStagesWithFreeMessagesLoseNothing)
{
    auto workload = small_pipeline(4, 8);
    workload.framework.blocking_transfers = true;
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 2, one_and_two};
    ASSERT_TRUE(machine.run());
    EXPECT_EQ(machine.end_of_step(0, 1), 2 * (8 + 3) * 6);
}

TEST(FrameworkSchemes, AHostThatIsSlowerThanItsGpuSetsThePace)
{
    // One stage of two layers, 4 micro-batches: the embedding, two layers and the head take the
    // host 10 s each way, all but the last of them before the GPU's last kernel: 4 x 80 s.
    auto workload = small_pipeline(1, 4);
    workload.framework.issue_forward = Time::of(10);
    workload.framework.issue_backward = Time::of(10);
    const auto seconds = [](const TaskGraph&, const Kernel& kernel) {
        return kernel.recorded_seconds.value_or(0);
    };
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 2, seconds};
    ASSERT_TRUE(machine.run());
    EXPECT_EQ(machine.end_of_step(0, 0), 4 * 8 * 10);
    EXPECT_EQ(machine.end_of_step(0, 1), 2 * 4 * 8 * 10);
}

TEST(FrameworkSchemes, ABlockGathersBeforeItRunsAndScattersAfterEveryMicroBatch)
{
    auto workload = small_pipeline(1, 8);
    workload.plan.data = 4;
    workload.plan.zero = 3;
    const auto part = shard(workload);
    const auto graph = training_step(workload);
    // Two micro-batches: the ends once, both layers forward and back.
    const auto gathers = sizes(graph, 0, "parameter gather");
    EXPECT_EQ(gathers.size(), 2U * (1 + 2 + 2));
    EXPECT_EQ(gathers[1], 2 * layer_parameters(part));
    const auto scatters = sizes(graph, 0, "gradient scatter");
    EXPECT_EQ(scatters.size(), 2U * (2 + 1));
    EXPECT_EQ(sum(scatters), 2 * gradient_bytes(workload, 0));
    workload.plan.zero = 2;
    EXPECT_EQ(sizes(training_step(workload), 0, "parameter gather").size(), 2U * (1 + 2));
}

TEST(FrameworkSchemes, SmallerGroupsSumTheirSharesOnceAStep)
{
    auto workload = small_pipeline(1, 8);
    workload.plan.data = 4;
    workload.plan.zero = 3;
    workload.plan.zero_group = 2;
    EXPECT_EQ(sizes(training_step(workload), 0, "gradient sum").size(), 3U);
}

TEST(FrameworkSchemes, RanksOfASequencePassKeysAndValuesRound)
{
    auto workload = small_pipeline(1, 1);
    workload.plan.context = 2;
    workload.sequence = 128;
    const auto graph = training_step(workload);
    ASSERT_EQ(graph.ranks(), 2U);
    // Two layers forward and back; keys and values of 128 tokens, 2 heads of 128, 2 bytes.
    const auto rings = sizes(graph, 0, "key and value ring");
    EXPECT_EQ(rings, std::vector<std::int64_t>(4, 2 * 128 * 256 * 2));
    EXPECT_EQ(sum(sizes(graph, 0, "key and value gradients")), 2 * (2 * 128 * 256 * 2));
    EXPECT_EQ(sizes(graph, 0, "gradient bucket").size() > 0, true) << "both sum all gradients";
}

TEST(FrameworkSchemes, FrozenWeightsHaveNoGradients)
{
    auto workload = small_pipeline(1, 4);
    workload.plan.data = 2;
    workload.adapter_rank = 4;
    const auto graph = training_step(workload);
    // Beside qkv (256 in, 768 out) and the projection (256, 256) of each layer, fp32.
    const std::int64_t adapters = 2 * 4 * (256 + 768 + 256 + 256);
    EXPECT_EQ(sum(sizes(graph, 0, "gradient bucket")), 4 * adapters);
    EXPECT_EQ(trained_parameters(stages(workload)[0], shard(workload)), adapters);
}

TEST(FrameworkSchemes, TheEndsOfTheModelTakeALayersPlace)
{
    auto workload = small_pipeline(2, 4);
    workload.model.layers = 6;
    workload.plan.layers_per_stage.clear();
    workload.plan.ends_as_layers = true;
    workload.plan.chunks = 2;
    // (6 + 2) / 2 places a stage, two of each chunk, one taken by an end.
    EXPECT_EQ(stages(workload)[0].layers, 3);
    EXPECT_EQ(stages(workload)[1].layers, 3);
    const auto graph = training_step(workload);
    InstantMachine machine{graph, 1, one_and_two};
    EXPECT_TRUE(machine.run());
}

TEST(FrameworkSchemes, OneEndAloneMayTakeALayersPlace)
{
    auto workload = small_pipeline(2, 4);
    workload.model.layers = 7;
    workload.plan.layers_per_stage.clear();
    workload.plan.head_as_layer = true;
    EXPECT_EQ(stages(workload)[0].layers, 4);
    EXPECT_EQ(stages(workload)[1].layers, 3);
    workload.plan.chunks = 2;
    EXPECT_EQ(stages(workload)[1].chunks[0].size(), 2U);
    EXPECT_EQ(stages(workload)[1].chunks[1].size(), 1U);
    workload.plan.chunks = 1;
    workload.plan.head_as_layer = false;
    workload.plan.embedding_as_layer = true;
    EXPECT_EQ(stages(workload)[0].layers, 3);
    EXPECT_EQ(stages(workload)[1].layers, 4);
    EXPECT_FALSE(has_errors(spec::validate(workload, 2, "")));
}

TEST(FrameworkSchemes, NoSchemeWaitsForItself)
{
    for (const auto bucketing : {Bucketing::size, Bucketing::chunk, Bucketing::stage}) {
        for (const int chunks : {1, 2}) {
            for (const int pipeline : {2, 4}) {
                for (const bool blocking : {false, true}) {
                    auto workload = small_pipeline(pipeline, 16);
                    workload.plan.tensor = 2;
                    workload.plan.data = 2;
                    workload.plan.chunks = chunks;
                    workload.plan.zero = 1;
                    workload.model.tied_embeddings = true;
                    workload.framework.bucketing = bucketing;
                    workload.framework.blocking_transfers = blocking;
                    workload.framework.scattered_transfers = blocking;
                    workload.framework.transfer_restart = Time::of(blocking ? 1 : 0);
                    const auto graph = training_step(workload);
                    InstantMachine machine{graph, 2, one_and_two};
                    EXPECT_TRUE(machine.run()) << chunks << pipeline << blocking;
                }
            }
        }
    }
}

}  // namespace
}  // namespace sim::workload
