#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "formats/chakra_write.hpp"
#include "formats/layer_workload.hpp"
#include "formats/trace_builder.hpp"
#include "formats/trace_fixture.hpp"
#include "formats/trace_graph.hpp"
#include "formats/trace_what_if.hpp"
#include "replay/exported_trace.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

// Recorded jobs as users have them, on a machine.

namespace sim::replay::test
{
namespace
{

using formats::Trace;

Result run_on(const spec::ClusterSpec& cluster, const Trace& trace,
              engine::Kind engine = engine::Kind::native)
{
    const auto graph = formats::trace_graph(trace);
    Job job{cluster, graph};
    job.steps = 1;
    return replay::run(job, {engine});
}

Time entry(const Result& result, Entry which)
{
    return result.classes[0].ledger[static_cast<std::size_t>(which)];
}

Time compute(const Result& result)
{
    return entry(result, Entry::compute_math) + entry(result, Entry::compute_memory);
}

/// One layer: 1,000 + 2,000 + 3,000 ns of compute, then an all-reduce of 8 MB.
Trace data_parallel(std::uint32_t gpus)
{
    return formats::read_layer_workload(
        "w.txt", "DATA\n1\na -1 1000 NONE 0 2000 NONE 0 3000 ALLREDUCE 8000000 0\n", gpus);
}

/// The sets of ASTRA-sim's microbenchmarks: 1 MB, 4 and 8 ranks, as files of Chakra. A ring moves
/// 2 (n-1)/n or (n-1)/n of the result over every 400 GB/s link (GB is 10^9).
TEST(TraceCases, AstraSimsMicrobenchmarksTakeTheirClosedForms)
{
    constexpr std::int64_t kMegabyte = 1'000'000;
    const std::pair<workload::CollectiveKind, int> kinds[] = {
        {workload::CollectiveKind::all_reduce, 2},
        {workload::CollectiveKind::all_gather, 1},
        {workload::CollectiveKind::reduce_scatter, 1},
        {workload::CollectiveKind::all_to_all, 1}};
    for (const std::uint32_t ranks : {4U, 8U}) {
        for (const auto& [kind, times] : kinds) {
            formats::TraceBuilder builder{"by hand", ranks};
            builder.label("c");
            std::vector<std::uint32_t> all(ranks);
            std::iota(all.begin(), all.end(), 0U);
            builder.group("all", all);
            for (const auto rank : all) {
                formats::TraceNode node;
                node.kind = formats::TraceKind::collective;
                node.collective = kind;
                node.size = kMegabyte;
                builder.add(rank, node, {});
            }
            const ScratchFolder folder;
            formats::write_chakra(builder.take(), folder.path(), "micro");
            const auto trace = formats::test::read(folder, "micro", ranks);
            const auto closed = times * (ranks - 1.0) / ranks * 1e6 / 400e9;
            for (const auto engine : {engine::Kind::native, engine::Kind::simgrid}) {
                EXPECT_NEAR(
                    run_on(ideal_cluster(1, static_cast<int>(ranks)), trace, engine).step.base(),
                    closed, 1e-10);
            }
        }
    }
}

/// Compute is a rank's own; 8 MB over n ranks take 2 (n-1)/n x 20 us: 35 us of 8, 30 us of 4.
TEST(TraceCases, U43HalfTheRanksHaveTheSameComputeAndOtherCommunication)
{
    const auto eight = run_on(ideal_cluster(1, 8), data_parallel(8));
    const auto four = run_on(ideal_cluster(1, 4), data_parallel(4));
    EXPECT_NEAR(compute(eight).base(), 6e-6, 1e-12);
    EXPECT_NEAR(compute(four).base(), 6e-6, 1e-12);
    EXPECT_NEAR((eight.step - four.step).base(), 5e-6, 1e-10);
}

/// A cycle is 1 ns. The weights' all-reduce follows the weights' 3,000 ns, the inputs' 2,000 run
/// beside it: 1 + 3 + 35 us, of which 33 are exposed.
TEST(TraceCases, U44ComputeExposedAndHiddenCommunicationSumToTheStep)
{
    const auto result = run_on(ideal_cluster(1, 8), data_parallel(8));
    EXPECT_NEAR(result.step.base(), 39e-6, 1e-10);
    EXPECT_NEAR(compute(result).base(), 6e-6, 1e-12);
    EXPECT_NEAR(entry(result, Entry::exposed_other).base(), 33e-6, 1e-10);
    ASSERT_EQ(result.classes[0].communication.size(), 1U);
    EXPECT_NEAR(result.classes[0].communication[0].hidden.base(), 2e-6, 1e-10);
    const auto& ledger = result.classes[0].ledger;
    EXPECT_NEAR(std::accumulate(ledger.begin(), ledger.end(), Time{}).base(), 39e-6, 1e-10);
}

/// 400 GB/s: ranks 2 and 3 reduce 40 MB (100 us) before all four gather 40 MB (75 us).
TEST(TraceCases, U47ACollectiveOfAllStartsWhenTheLastMemberComesFromItsSubgroup)
{
    formats::TraceBuilder builder{"by hand", 4};
    builder.label("c");
    builder.group("part", {2, 3});
    builder.group("all", {0, 1, 2, 3});
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        formats::TraceNode node;
        node.kind = formats::TraceKind::collective;
        node.size = 40'000'000;
        std::vector<std::uint32_t> after;
        if (rank > 1) {
            after = {builder.add(rank, node, {})};
        }
        node.group = 1;
        node.collective = workload::CollectiveKind::all_gather;
        builder.add(rank, node, after);
    }
    EXPECT_NEAR(run_on(ideal_cluster(1, 4), builder.take()).step.base(), 175e-6, 1e-9);
}

TEST(TraceCases, U49AsManyTracesAsGpusOrItIsSaidWhichFileAndHowMany)
{
    formats::TraceBuilder builder{"by hand", 1};
    builder.label("k");
    builder.add(0, {}, {});
    const ScratchFolder folder;
    formats::write_chakra(builder.take(), folder.path(), "job");
    spec::TraceSpec asked;
    asked.path = folder.path("job");
    try {
        (void)formats::load_trace(asked, 32);
        ADD_FAILURE() << "read";
    } catch (const InputError& error) {
        const std::string words = error.what();
        EXPECT_NE(words.find("job: error: trace.file: has 1 rank but the cluster has 32 GPUs"),
                  std::string::npos)
            << words;
    }
}

/// The parameters of torchvision's resnet50 by its parts, 25,557,032 in all, of 4 bytes; no
/// compute, so the step is their all-reduce: 2 x 7/8 x 102.2 MB over 400 GB/s inside of a node.
TEST(TraceCases, AResNet50sDataParallelTimeDependsOnTheTopology)
{
    constexpr std::int64_t kParts[] = {9'536, 215'808, 1'219'584, 7'098'368, 14'964'736, 2'049'000};
    std::string text = "DATA\n6\n";
    for (const auto parameters : kParts) {
        text += fmt::format("part -1 0 NONE 0 0 NONE 0 0 ALLREDUCE {} 0\n", 4 * parameters);
    }
    const auto trace = formats::read_layer_workload("resnet50.txt", text, 8);
    const auto one_node = run_on(ideal_cluster(1, 8), trace).step.base();
    EXPECT_NEAR(one_node, 2 * 7.0 / 8 * 4 * 25'557'032 / 400e9, 1e-9);
    auto cluster = ideal_cluster(4, 2);
    const auto four_nodes = run_on(cluster, trace).step.base();
    EXPECT_GT(four_nodes, 2 * one_node);
    auto& fabric = std::get<spec::LeafSpineSpec>(cluster.fabric.network);
    fabric.nodes_per_leaf = 1;
    fabric.oversubscription = 2;
    EXPECT_GT(run_on(cluster, trace).step.base(), 1.5 * four_nodes);
}

/// Rank 3's compute takes 10 times as long: 60 us of compute instead of 6 before the all-reduce.
TEST(TraceCases, ASlowRankDelaysAllAndADroppedOneDoesNot)
{
    auto slowed = data_parallel(4);
    spec::TraceSpec asked;
    asked.slow = {{3, 10}};
    formats::apply_what_if(slowed, asked);
    const auto cluster = ideal_cluster(1, 4);
    // Forward and weights of rank 3, then 30 us of all-reduce; its input gradient hides.
    EXPECT_NEAR(run_on(cluster, slowed).step.base(), (40 + 30) * 1e-6, 1e-10);
    // Three ranks: 2 x 2/3 x 20 us after 4 us.
    auto dropped = data_parallel(4);
    asked = {};
    asked.drop = {3};
    formats::apply_what_if(dropped, asked);
    EXPECT_NEAR(run_on(cluster, dropped).step.base(), 4e-6 + 80e-6 / 3, 1e-10);
    asked.drop = {4};
    EXPECT_THROW(formats::apply_what_if(dropped, asked), InputError);
}

/// Twice the bf16 rate and four times the memory: 8 us of gemm are 4, 8 us of others 2.
TEST(TraceCases, KernelsAreTakenOverToAnotherGpuByTheirRooflines)
{
    formats::TraceBuilder builder{"by hand", 1};
    formats::TraceNode node;
    node.seconds = 8e-6;
    for (const auto* name : {"ampere_bf16_s16816gemm_128x64", "vectorized_elementwise_kernel"}) {
        node.label = builder.label(name);
        builder.add(0, node, {});
    }
    auto trace = builder.take();
    const auto from = ideal_cluster(1, 1).node.gpu;
    auto to = from;
    to.peak.begin()->second = 2.0 * to.peak.begin()->second;
    to.memory_bandwidth = 4.0 * to.memory_bandwidth;
    formats::take_over(trace, from, to);
    EXPECT_NEAR(trace.ranks[0].nodes[0].seconds, 4e-6, 1e-15);
    EXPECT_NEAR(trace.ranks[0].nodes[1].seconds, 2e-6, 1e-15);
}

/// A graph, exported and read back, takes as long; exported again it is the same file.
TEST(TraceCases, AnExportedGraphRunsAsTheGraphDoes)
{
    const auto graph = formats::trace_graph(data_parallel(4));
    const auto cluster = ideal_cluster(1, 4);
    Job job{cluster, graph};
    job.steps = 1;
    const auto step = replay::run(job, {}).step.base();
    const auto exported = exported_trace(graph, cluster.node.gpu);
    const ScratchFolder folder;
    formats::write_chakra(exported, folder.path(), "job");
    const auto back = formats::test::read(folder, "job", 4);
    EXPECT_NEAR(run_on(cluster, back).step.base(), step, 1e-15);
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(formats::chakra_file(back, rank), formats::chakra_file(exported, rank));
    }
}

}  // namespace
}  // namespace sim::replay::test
