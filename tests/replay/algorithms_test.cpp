#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collective/every_algorithm.hpp"
#include "collective/words.hpp"
#include "core/literals.hpp"
#include "replay/collective_graph.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;
using spec::Algorithm;
using spec::Fidelity;
using workload::CollectiveKind;

/// What graph_of() does after its collective.
constexpr double kUse = 0.5;

/// Times of the closed forms below; S = 1 GB, launch 10 us, NVLink 400 GB/s and 1 us, NICs
/// 50 GB/s and 5 us.
struct Case {
    Algorithm algorithm;
    int nodes;
    int gpus;
    CollectiveKind kind;
    double moved;      ///< seconds
    double latencies;  ///< seconds
    double later = 0;  ///< at `chunk`, at most: what a pipeline of 64 chunks takes to fill
};

constexpr double kIn = 1e9 / 400e9;
constexpr double kOut = 1e9 / 50e9;
constexpr double kA = 1e-6;
constexpr double kNet = 5e-6;

/// What full chunks of 8 MiB take on a hop: their half is reached at three times as much.
constexpr double kFlight = 8 * 1024 * 1024.0;
constexpr double kFull = kFlight * 1e9 / (1e9 + 3 * kFlight);

/// 3 MiB of each member's buffer are on their way through a switch that reduces.
constexpr double loop(double members)
{
    const double bytes = members * 3 * 1024 * 1024.0;
    return bytes * 1e9 / (1e9 + bytes) / 1e9;
}

const Case kWhole[] = {
    // A ring of 8 in a node: 14 steps of an eighth.
    {Algorithm::ring, 1, 8, CollectiveKind::all_reduce, 14 * kIn / 8, 14 * kA},
    // Everyone to everyone, at once: 7/8 S out and in, twice.
    {Algorithm::direct, 1, 8, CollectiveKind::all_reduce, 14 * kIn / 8, 2 * kA},
    // 3 phases there and 3 back, 4, 2 and 1 eighths.
    {Algorithm::halving_doubling, 1, 8, CollectiveKind::all_reduce, 14 * kIn / 8, 6 * kA},
    // As many chunks, in the same number of phases; 6 members: 1, 2 and 2 chunks.
    {Algorithm::bruck, 1, 6, CollectiveKind::all_reduce, 10 * kIn / 6, 6 * kA},
    {Algorithm::pat, 1, 8, CollectiveKind::all_reduce, 14 * kIn / 8, 6 * kA},
    // 3 nodes of 4: 3 + 3 steps of a quarter in the node, 4 of a twelfth over the rails.
    {Algorithm::hierarchical, 3, 4, CollectiveKind::all_reduce, 6 * kIn / 4 + 4 * kOut / 12,
     6 * kA + 4 * kNet},
    // Four nodes of 2, two to a leaf: a half of S in the node, of its quarter one step to the
    // leaf's other node and two to the other leaf's, and back.
    {Algorithm::hierarchical_3, 4, 2, CollectiveKind::all_reduce,
     2 * kIn / 2 + 2 * kOut / 4 + 2 * kOut / 8, 2 * kA + 4 * kNet},
    // Sides of 2, 2 and 2, two GPUs on a switch: half of S between these; of each half three
    // thirds, each by halves along every side, all three through one NIC: 1/2 + 1/4 + 1/8.
    {Algorithm::torus, 8, 2, CollectiveKind::all_reduce, 2 * (kIn / 2 + kOut * 7 / 16),
     2 * (kA + 3 * kNet)},
    // Two nodes, one GPU each: each is the root of one tree, half of S up and down either.
    {Algorithm::tree, 2, 1, CollectiveKind::all_reduce, kOut, 2 * kNet, kOut / 64 + 64 * kNet},
    // Four GPUs in a chain: those inside send all of S up and all of it down.
    {Algorithm::tree, 1, 4, CollectiveKind::all_reduce, 2 * kIn, 6 * kA,
     6 * 2 * kIn / 64 + 64 * kA},
    // The trees over four rails, with a quarter of S each.
    {Algorithm::hierarchical_tree, 2, 4, CollectiveKind::all_reduce, 6 * kIn / 4 + kOut / 4,
     6 * kA + 2 * kNet, kOut / 4 / 64 + 64 * kNet},
    // 9/8 of S at 0.8 of NVLink; 5 and 2 us of base, 20 us of the switch, and what is on its way.
    {Algorithm::nvls, 1, 8, CollectiveKind::all_reduce, 9 * kIn / 8 / 0.8,
     27e-6 + loop(8) * 9 * kIn / 8 / 0.8},
    // Four NICs a node with a quarter each bind, NVLink has 5/4 of S; one level of trees up and
    // down at 6 + 8 us, and chunks that wait on both its hops, of all four NICs.
    {Algorithm::nvls_tree, 2, 4, CollectiveKind::all_reduce, kOut / 4,
     27e-6 + loop(4) * kOut / 4 + 28e-6 + 2 * kFull / 200e9},
    // A kernel's four steps to and from the switch, and both bases.
    {Algorithm::multimem, 1, 8, CollectiveKind::all_reduce, 9 * kIn / 8 / 0.8, 7e-6 + 4 * kA},
    // Each NIC sends and gets a quarter of S at 0.9 of its rate. Both bases, 1 us of the switches,
    // to the NIC's member and back at 4 us, to the network and back, and chunks on these hops.
    {Algorithm::sharp, 2, 4, CollectiveKind::all_reduce, kOut / 4 / 0.9,
     7e-6 + 1e-6 + 28e-6 + 8e-6 + 2 * kFull / 200e9 + 2 * kFull / 400e9},
};

const Case kOthers[] = {
    // Half of S to the other node, by the NIC; beside it 3/8 in the node.
    {Algorithm::direct, 2, 4, CollectiveKind::all_to_all, kOut / 2, kNet},
    // What is for three rails of both nodes, then half of S along the rails.
    {Algorithm::hierarchical, 2, 4, CollectiveKind::all_to_all, 6 * kIn / 8 + kOut / 2, kA + kNet},
    // 64 chunks down a chain: the last has left the first hop after 64 (a + c / B), two hops more.
    {Algorithm::ring, 1, 4, CollectiveKind::broadcast, kIn, 3 * kA, 63 * kA + 2 * kIn / 64},
};

/// Whatever scatters and gathers does either in half of the time.
std::vector<Case> every_case()
{
    std::vector<Case> all{std::begin(kOthers), std::end(kOthers)};
    for (const auto& whole : kWhole) {
        all.push_back(whole);
        if (!spec::only_reduces_whole(whole.algorithm)) {
            for (const auto kind : {CollectiveKind::all_gather, CollectiveKind::reduce_scatter}) {
                auto half = whole;
                half.kind = kind;
                half.moved /= 2;
                half.latencies /= 2;
                all.push_back(half);
            }
        }
    }
    return all;
}

class AlgorithmOn : public testing::TestWithParam<engine::Kind>
{
};

INSTANTIATE_TEST_SUITE_P(, AlgorithmOn,
                         testing::Values(engine::Kind::native, engine::Kind::simgrid),
                         [](const auto& instance) {
                             return instance.param == engine::Kind::native ? "native" : "simgrid";
                         });

spec::CollectiveTuning library()
{
    spec::CollectiveTuning tuning;
    tuning.base = 5_us;
    tuning.ll = {.base = 0_us, .nvlink_hop = 1_us, .network_hop = 0_us, .share = 0.5};
    tuning.simple = {.base = 2_us, .nvlink_hop = 4_us, .network_hop = 8_us, .share = 1};
    tuning.ll.ceiling = 1_GBps;
    tuning.simple.ceiling = 100_GBps;
    tuning.flight = 8_MiB;
    tuning.transport = {.name = "T", .latency = 6_us};
    tuning.nvls = spec::NvlsSpec{0.8, 20_us, 3_MiB};
    tuning.sharp = spec::SharpSpec{.efficiency = 0.9, .latency = 1_us, .most_nodes = 64};
    return tuning;
}

/// They need a library that says how; its costs are in place of the launch.
bool in_switches(Algorithm algorithm)
{
    return algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree ||
           algorithm == Algorithm::multimem || algorithm == Algorithm::sharp;
}

spec::ClusterSpec machine(const Case& one)
{
    auto cluster = ideal_cluster(one.nodes, one.gpus);
    cluster.node.nvlink.latency = 1_us;
    cluster.node.nic.latency = 5_us;
    cluster.collective.launch = 10_us;
    cluster.collective.algorithm = {one.algorithm, one.algorithm, one.algorithm, one.algorithm};
    if (in_switches(one.algorithm)) {
        cluster.collective.tuning = library();
    }
    auto& fabric = std::get<spec::LeafSpineSpec>(cluster.fabric.network);
    fabric.nodes_per_leaf = one.algorithm == Algorithm::hierarchical_3 ? 2 : one.nodes;
    if (one.algorithm == Algorithm::torus) {
        const auto device = fabric.leaf;
        auto& torus = cluster.fabric.network.emplace<spec::TorusSpec>();
        torus.sides = {2, 2, 2};
        torus.device = device;
    }
    return cluster;
}

double time(const Case& one, Fidelity fidelity, engine::Kind engine)
{
    const auto cluster = machine(one);
    const auto ranks = static_cast<std::uint32_t>(one.nodes * one.gpus);
    const auto graph = graph_of({{one.kind, 1_GB, 0, 0}, first_ranks(ranks)});
    Job job{cluster, graph};
    job.steps = 1;
    job.fidelity = {fidelity};
    return replay::run(job, {engine, Fold::off}).step.base() - kUse;
}

TEST_P(AlgorithmOn, TakesItsClosedFormAtEveryFidelity)
{
    for (const auto& one : every_case()) {
        const auto what = fmt::format("{} of kind {}", collective::name(one.algorithm),
                                      static_cast<int>(one.kind));
        const double expected =
            (in_switches(one.algorithm) ? 0 : 10e-6) + one.moved + one.latencies;
        for (const auto fidelity : {Fidelity::analytic, Fidelity::flow}) {
            EXPECT_NEAR(time(one, fidelity, GetParam()), expected, 1e-9 * expected)
                << what << " at " << static_cast<int>(fidelity);
        }
        const double chunk = time(one, Fidelity::chunk, GetParam());
        EXPECT_GT(chunk, expected * (1 - 1e-9)) << what;
        EXPECT_LT(chunk, (expected + one.later) * (1 + 1e-9)) << what;
    }
}

TEST(AlgorithmCases, HoldWhateverAnyAlgorithmDoes)
{
    const auto kind_of = [](CollectiveKind kind) {
        return kind == CollectiveKind::all_reduce       ? collective::Kind::all_reduce
               : kind == CollectiveKind::all_gather     ? collective::Kind::all_gather
               : kind == CollectiveKind::reduce_scatter ? collective::Kind::reduce_scatter
               : kind == CollectiveKind::all_to_all     ? collective::Kind::all_to_all
                                                        : collective::Kind::broadcast;
    };
    std::set<std::pair<Algorithm, collective::Kind>> held;
    for (const auto& one : every_case()) {
        held.emplace(one.algorithm, kind_of(one.kind));
    }
    for (const auto& [algorithm, kind] : sim::test::everything_done()) {
        // No step of a training job reduces to one member: a task graph has no word for it.
        if (kind != collective::Kind::reduce) {
            EXPECT_TRUE(held.contains({algorithm, kind}))
                << collective::name(algorithm) << " " << collective::name(kind);
        }
    }
}

TEST_P(AlgorithmOn, AStepOfALibrarysRingPaysItsPartOfTheProtocol)
{
    // 7 us and 14 steps of 4 us; bus bandwidth at the ceiling of 100 GB/s.
    Case ring{Algorithm::ring, 1, 8, CollectiveKind::all_reduce, 1.75 * 1e9 / 100e9, 63e-6};
    auto cluster = machine(ring);
    cluster.collective.tuning = library();
    const auto graph = graph_of({{ring.kind, 1_GB, 0, 0}, first_ranks(8)});
    for (const auto fidelity : {Fidelity::analytic, Fidelity::flow, Fidelity::chunk}) {
        Job job{cluster, graph};
        job.steps = 1;
        job.fidelity = {fidelity};
        const double took = replay::run(job, {GetParam(), Fold::off}).step.base() - kUse;
        EXPECT_NEAR(took, ring.moved + ring.latencies, 1e-9) << static_cast<int>(fidelity);
    }
}

TEST(Fallback, SaysOnceThatSwitchesThatReduceHaveNoSteps)
{
    const Case nvls{Algorithm::nvls, 1, 8, CollectiveKind::all_reduce, 0, 0};
    auto cluster = machine(nvls);
    cluster.collective.tuning = library();
    const auto graph = graph_of({{nvls.kind, 1_GB, 0, 0}, first_ranks(8)});
    Job job{cluster, graph};
    job.fidelity = {Fidelity::chunk};
    testing::internal::CaptureStderr();
    const auto chunk = replay::run(job, {engine::Kind::native, Fold::off}).step;
    const auto said = testing::internal::GetCapturedStderr();
    const std::string words = "all_reduce by nvls has no single steps: it is simulated as a flow";
    const auto first = said.find(words);
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(said.find(words, first + 1), std::string::npos);
    job.fidelity = {Fidelity::flow};
    EXPECT_EQ(replay::run(job, {engine::Kind::native, Fold::off}).step, chunk);
}

TEST_P(AlgorithmOn, DoesNotDependOnHowManyPartsAGroupIsCutInto)
{
    // 1 GiB over 8 ranks on one switch of 50 GB/s: 2 x 7/8 S, 37.58 ms, by any algorithm, in one
    // piece or in 14 or 112 steps; nothing is faster, and no switch is charged twice.
    const double bound = 1.75 * static_cast<double>((1_GiB).base()) / 50e9;
    auto cluster = ideal_cluster(1, 8);
    cluster.node.nvlink.bandwidth = 50_GBps;
    const auto graph = graph_of({{CollectiveKind::all_reduce, 1_GiB, 0, 0}, first_ranks(8)});
    for (const auto algorithm : {Algorithm::ring, Algorithm::direct, Algorithm::bruck,
                                 Algorithm::pat, Algorithm::halving_doubling}) {
        cluster.collective.algorithm.all_reduce = algorithm;
        for (const auto fidelity : {Fidelity::flow, Fidelity::chunk}) {
            Job job{cluster, graph};
            job.steps = 1;
            job.fidelity = {fidelity};
            const double took = replay::run(job, {GetParam(), Fold::off}).step.base() - kUse;
            EXPECT_NEAR(took, bound, 1e-9) << collective::name(algorithm);
        }
    }
}

TEST(Algorithm, OfAMachineThatCannotRunItIsRefusedWithTheReason)
{
    const Case six{Algorithm::halving_doubling, 1, 6, CollectiveKind::all_reduce, 0, 0};
    try {
        static_cast<void>(time(six, Fidelity::flow, engine::Kind::native));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().front().message,
                  "halving_doubling needs a power of two of members, not 6");
    }
}

TEST(Groups, OfDifferentSizesMayMeetInALegalOrder)
{
    // U47: ranks 4 to 7 reduce 400 MB among themselves, 6 steps of 100 MB at 400 GB/s, 1.5 ms; the
    // gather of all starts when the last has come and takes 7/8 of 800 MB, 1.75 ms. Ranks 0 to 3
    // wait for the others 1.5 ms.
    auto cluster = ideal_cluster(1, 8);
    workload::TaskGraph graph;
    std::vector<ProgramId> programs;
    for (int rank = 0; rank < 8; ++rank) {
        ProgramWriter writer{graph, {"compute", "data", "tensor"}};
        ProgramWriter::Dependences before;
        if (rank >= 4) {
            // Not before the step before has used what it gathered.
            before = {on(writer.collective(2, {CollectiveKind::all_reduce, 400_MB, 1, 0}, "inner",
                                           {on_last_step({0, 0})}))};
        }
        const auto gathered =
            writer.collective(1, {CollectiveKind::all_gather, 800_MB, 0, 0}, "all", before);
        writer.recorded(0, "use", kUse, {on(gathered)});
        programs.push_back(writer.done());
    }
    add_ranks(graph, programs, 2);
    add_communicator(graph, Purpose::data, first_ranks(8), {0});
    add_communicator(graph, Purpose::tensor, {4, 5, 6, 7}, {1});
    Job job{cluster, graph};
    job.steps = 1;
    const auto result = replay::run(job, {engine::Kind::native, Fold::automatic});
    EXPECT_NEAR(result.step.base(), kUse + 1.5e-3 + 1.75e-3, 1e-9);
    for (const auto& ranks : result.classes) {
        const double waited = ranks.ledger[static_cast<std::size_t>(Entry::straggler)].base();
        EXPECT_NEAR(waited, ranks.members.front() < 4 ? 1.5e-3 : 0, 1e-9);
    }
}

}  // namespace
}  // namespace sim::replay::test
