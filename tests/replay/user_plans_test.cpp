// Questions that users of training frameworks asked in public, as far as plans answer them.

#include <gtest/gtest.h>

#include <cmath>

#include "core/literals.hpp"
#include "replay/run.hpp"
#include "replay/small_cluster.hpp"
#include "workload/shard.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

spec::ExperimentSpec experiment(int nodes, int gpus)
{
    spec::ExperimentSpec experiment;
    experiment.cluster = ideal_cluster(nodes, gpus);
    experiment.cluster.collective.algorithm = {spec::Algorithm::ring, spec::Algorithm::ring,
                                               spec::Algorithm::ring};
    auto& workload = experiment.workload;
    auto& model = workload.model;
    model = {.name = "small",
             .hidden = 1024,
             .layers = 8,
             .heads = 8,
             .kv_heads = 8,
             .head_dim = 128,
             .ffn = 2816,
             .vocab = 4096};
    workload.sequence = 1024;
    workload.micro_batch = 1;
    workload.gradient_precision = spec::Precision::bf16;
    workload.plan.data = nodes * gpus;
    workload.global_batch = workload.plan.data;
    workload.framework.gradient_bucket = 1_GB;
    return experiment;
}

double seconds(const spec::ExperimentSpec& experiment)
{
    return run(experiment, {engine::Kind::native}).step.base();
}

CommunicationTotals data_traffic(const Result& result)
{
    for (const auto& totals : result.classes.front().communication) {
        if (totals.purpose == "data") {
            return totals;
        }
    }
    return {};
}

double compute(const Result& result)
{
    const auto& ledger = result.classes.front().ledger;
    return (ledger[static_cast<std::size_t>(Entry::compute_math)] +
            ledger[static_cast<std::size_t>(Entry::compute_memory)])
        .base();
}

/// What a rank's ring of 2-byte numbers sends on: (n - 1) / n of them once, or twice to sum.
double ring(double parameters, double ranks) { return 2 * parameters * (ranks - 1) / ranks; }

std::int64_t parameters(const spec::ExperimentSpec& experiment)
{
    return workload::stage_parameters(workload::stages(experiment.workload)[0],
                                      workload::shard(experiment.workload));
}

/// All ranks of node 0 together.
double node_traffic(const Result& result, std::uint32_t gpus)
{
    double bytes = 0;
    for (const auto& ranks : result.classes) {
        for (const auto& totals : ranks.communication) {
            for (const auto member : ranks.members) {
                bytes += member < gpus ? totals.nic_bytes_sent : 0;
            }
        }
    }
    return bytes;
}

TEST(UserPlans, U19TwiceTheNetworkHalvesTheSumOfGradientsAndNothingElse)
{
    // NVIDIA/Megatron-LM users: does 800G instead of 400G help TP in the node, DP over nodes?
    auto slow = experiment(4, 2);
    slow.workload.plan.tensor = 2;
    slow.workload.plan.data = 4;
    slow.workload.global_batch = 4;
    slow.workload.framework.overlap_gradients = false;
    auto fast = slow;
    fast.cluster.node.nic.bandwidth = 100_GBps;
    const auto before = run(slow, {engine::Kind::native});
    const auto after = run(fast, {engine::Kind::native});

    const auto bytes = 2 * ring(static_cast<double>(parameters(slow)), 4);
    const auto exposed = data_traffic(before).exposed.base();
    // The norm's 4 bytes come on top.
    EXPECT_NEAR(exposed / (bytes / 50e9), 1, 1e-3);
    EXPECT_NEAR(data_traffic(after).exposed.base() / (bytes / 100e9), 1, 1e-3);
    EXPECT_NEAR((before.step - after.step).base() / (exposed / 2), 1, 1e-3);
    EXPECT_NEAR(compute(after) / compute(before), 1, 1e-9);
}

TEST(UserPlans, U21APipelineBeatsTensorParallelismOnceThereAreManyMicroBatches)
{
    // NVIDIA/Megatron-LM#258. The bubble is 7 / (m + 7) of a step, 47 % at m = 8 and 10 % at 64;
    // tensor parallelism pays four sums a layer whatever m is.
    const auto step = [](int tensor, int pipeline, int micro_batches) {
        auto plan = experiment(1, 8);
        plan.workload.plan.data = 1;
        plan.workload.plan.tensor = tensor;
        plan.workload.plan.pipeline = pipeline;
        plan.workload.global_batch = micro_batches;
        plan.workload.model.vocab = 512;
        return seconds(plan);
    };
    EXPECT_LT(step(8, 1, 8), step(1, 8, 8));
    EXPECT_GT(step(8, 1, 64), step(1, 8, 64));
}

TEST(UserPlans, U23ParametersInSharesCrossANodesEdgeThreeTimesAStep)
{
    // deepspeedai/DeepSpeed#2928: two gathers and one scatter, of which a flat ring takes
    // (n - 1) / n over each node's edge once. The ends of the model are gathered once.
    auto sharded = experiment(2, 4);
    sharded.workload.plan.zero = 3;
    const auto result = run(sharded, {engine::Kind::native});
    const auto layers =
        8.0 * static_cast<double>(workload::layer_parameters(workload::shard(sharded.workload)));
    const auto all = static_cast<double>(parameters(sharded));
    EXPECT_NEAR(node_traffic(result, 4) / (ring(all, 8) + ring(layers, 8) + ring(all, 8)), 1, 1e-5);
}

TEST(UserPlans, U25SharesInsideANodeLeaveOnlyTheSumOfGradientsBetweenNodes)
{
    // deepspeedai/DeepSpeed#6889: four ranks a node hold a share each; every share is summed over
    // two nodes, 2 (N - 1) / N of it, once a step whatever the micro-batches.
    auto hybrid = experiment(2, 4);
    hybrid.workload.plan.zero = 3;
    hybrid.workload.plan.zero_group = 4;
    hybrid.workload.global_batch = 4 * 8;
    const auto result = run(hybrid, {engine::Kind::native});
    const auto all = static_cast<double>(parameters(hybrid));
    EXPECT_NEAR(node_traffic(result, 4) / (2 * ring(all, 2)), 1, 1e-3);

    auto flat = hybrid;
    flat.workload.plan.zero_group.reset();
    EXPECT_GT(node_traffic(run(flat, {engine::Kind::native}), 4),
              8 * node_traffic(result, 4));  // three times 7/8 of 2 P, four times a step
}

TEST(UserPlans, U25ASecondCopyInTheNodeLeavesOneGatherAndOneScatterBetweenNodes)
{
    // ZeRO++'s hpZ: 2 P of the forward gather and 2 P of the scatter, (n - 1) / n of them over each
    // node's edge, in place of three times that; one key more.
    auto sharded = experiment(2, 4);
    sharded.workload.plan.zero = 3;
    sharded.workload.plan.backward_group = 4;
    const auto result = run(sharded, {engine::Kind::native});
    const auto all = static_cast<double>(parameters(sharded));
    EXPECT_NEAR(node_traffic(result, 4) / (2 * ring(all, 8)), 1, 1e-5);
}

TEST(UserPlans, U23TheNetworkBindsBelowSoManyTokensAGpu)
{
    // 6 P (n - 1) / n bytes cross a node's edge in 8 P T / F seconds of compute with recomputation,
    // so T = 0.75 F / B tokens a GPU balance both, whatever P is: a fifth of that waits for the
    // network, five times as many hardly do.
    const auto exposed_share = [](double times) {
        auto sharded = experiment(2, 4);
        sharded.workload.plan.zero = 3;
        sharded.workload.recompute = spec::Recompute::full;
        sharded.workload.model.vocab = 64;  // the ends are gathered before anything can hide them
        // 100 TFLOP/s and, of a node of four, 0.75 F / B = 2,048 tokens at 36.6 GB/s.
        sharded.cluster.node.nic.bandwidth = Bandwidth::of(0.75 * 100e12 / 2048 / 4);
        sharded.workload.sequence = std::llround(2048 * times);
        const auto result = run(sharded, {engine::Kind::native});
        return data_traffic(result).exposed / result.step;
    };
    EXPECT_GT(exposed_share(0.2), 0.6);
    EXPECT_LT(exposed_share(5), 0.25);
}

TEST(UserPlans, U27ASlowNetworkSetsThePaceOfShardedTraining)
{
    // pytorch/torchtitan#676: a fall back to TCP shows as tokens a second far below what the GPUs
    // could: at most F / (8 P) with recomputation.
    auto sharded = experiment(4, 8);
    sharded.workload.plan.zero = 3;
    sharded.workload.recompute = spec::Recompute::full;
    double before = 100e12 / (8 * static_cast<double>(parameters(sharded)));
    for (const auto bandwidth : {50_GBps, 12.5_GBps, 1.5_GBps}) {
        sharded.cluster.node.nic.bandwidth = bandwidth;
        const auto result = run(sharded, {engine::Kind::native});
        EXPECT_LT(result.tokens_per_second_per_gpu, before);
        before = result.tokens_per_second_per_gpu;
    }
}

TEST(UserPlans, U27TwoHundredTokensASecondAreWhatTcpLeavesOfSeventyBillionParameters)
{
    // The thread's llama3_70b.toml on four nodes of eight: 8 sequences of 8,192 for each group of
    // eight tensor ranks, whose shards of P / 8 are gathered twice in two bytes and scattered once
    // in four over four nodes: 8 x 3/4 of 8.8 G bytes a GPU. At 1.5 GB/s these take 35 s of a step
    // of 8,192 tokens a GPU, 232 a second; the thread saw 200, where the GPUs alone make 708.
    auto job = experiment(4, 8);
    auto& workload = job.workload;
    workload.model = {.name = "Llama-3-70B",
                      .hidden = 8192,
                      .layers = 80,
                      .heads = 64,
                      .kv_heads = 8,
                      .head_dim = 128,
                      .ffn = 28672,
                      .vocab = 128256};
    workload.sequence = 8192;
    workload.micro_batch = 8;
    workload.global_batch = 32;
    workload.recompute = spec::Recompute::full;
    workload.gradient_precision = spec::Precision::fp32;
    workload.plan.tensor = 8;
    workload.plan.data = 4;
    workload.plan.zero = 3;
    workload.plan.sequence_parallel = true;
    job.cluster.node.gpu.peak = {{spec::Precision::bf16, 400_TFLOPS}};
    job.cluster.node.nic.bandwidth = 1.5_GBps;
    const auto slow = run(job, {engine::Kind::native});
    const double crossing = 0.75 * 8 * static_cast<double>(parameters(job)) / 1.5e9;
    EXPECT_LT(slow.tokens_per_second_per_gpu, 8192 / crossing * 1.01);
    EXPECT_GT(slow.tokens_per_second_per_gpu, 180);
    job.cluster.node.nic.bandwidth = 50_GBps;
    EXPECT_GT(run(job, {engine::Kind::native}).tokens_per_second_per_gpu, 500);
}

TEST(UserPlans, U29ManySmallGathersCostTheirLaunches)
{
    // deepspeedai/DeepSpeed#1174: bandwidth explains little of what ZeRO-3 adds on one node; each
    // gather has to be started. Short sequences leave nothing to hide them under.
    auto sharded = experiment(1, 8);
    sharded.workload.sequence = 16;
    sharded.workload.plan.zero = 3;
    sharded.cluster.collective.launch = 1_ms;
    const auto every_pass = seconds(sharded);
    sharded.workload.plan.zero = 2;
    const auto once = seconds(sharded);
    // Eight more gathers, a millisecond and their bytes over 400 GB/s each.
    const auto layer =
        static_cast<double>(workload::layer_parameters(workload::shard(sharded.workload)));
    const auto gathers = 8 * (1e-3 + ring(layer, 8) / 400e9);
    EXPECT_NEAR((every_pass - once) / gathers, 1, 0.05);
}

TEST(UserPlans, U43WeakScalingKeepsComputeAndStrongScalingDividesIt)
{
    // astra-sim/astra-sim#139.
    auto half = experiment(2, 4);
    half.workload.global_batch = 16;
    auto weak = experiment(4, 4);
    weak.workload.global_batch = 32;
    auto strong = weak;
    strong.workload.global_batch = 16;
    const auto reference = run(half, {engine::Kind::native});
    const auto same_each = run(weak, {engine::Kind::native});
    const auto same_all = run(strong, {engine::Kind::native});
    EXPECT_NEAR(compute(same_each) / compute(reference), 1, 0.02);
    EXPECT_NEAR(compute(same_all) / compute(reference), 0.5, 0.1);  // the update is not divided
    EXPECT_GT(data_traffic(same_each).bytes_sent, data_traffic(reference).bytes_sent);
}

TEST(UserPlans, U61LayersThatDoNotFitTheStagesAreAnErrorAndNotLost)
{
    // NVIDIA/Megatron-LM#468, #1304: 80 layers in 16 stages of 2 chunks trained 64 of them.
    auto plan = experiment(1, 16).workload;
    plan.plan.data = 1;
    plan.global_batch = 16;
    plan.plan.pipeline = 16;
    plan.plan.chunks = 2;
    plan.model.layers = 80;
    const auto chunked = spec::validate(plan, 16, "");
    ASSERT_EQ(chunked.size(), 1U);
    EXPECT_EQ(chunked[0].key, "parallel.virtual_pipeline");
    plan.plan.chunks = 1;
    EXPECT_TRUE(spec::validate(plan, 16, "").empty());
    plan.plan.pipeline = 4;
    plan.plan.data = 4;
    plan.model.layers = 30;
    const auto uneven = spec::validate(plan, 16, "");
    ASSERT_EQ(uneven.size(), 1U);
    EXPECT_EQ(uneven[0].hint,
              "write one of 1, 2, 3, 5, 6, 10, 15, 30, or layers_per_stage: [8, 8, 7, 7]");
}

}  // namespace
}  // namespace sim::replay::test
