#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "core/literals.hpp"
#include "replay/graph_writer.hpp"
#include "replay/simulate.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{
namespace
{

using namespace sim::literals;

class Deadlock : public testing::TestWithParam<engine::Kind>
{
protected:
    static std::string message(const workload::TaskGraph& graph)
    {
        const auto cluster = ideal_cluster(2, 4);
        try {
            static_cast<void>(run(Job{cluster, graph}, {GetParam()}));
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }
};

INSTANTIATE_TEST_SUITE_P(, Deadlock, testing::Values(engine::Kind::native, engine::Kind::simgrid),
                         [](const auto& instance) {
                             return instance.param == engine::Kind::native ? "native" : "simgrid";
                         });

/// Two ranks that each want to receive before they send.
workload::TaskGraph both_receive_first()
{
    workload::TaskGraph graph;
    std::vector<ProgramId> programs;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        ProgramWriter writer{graph, {"compute", "messages"}};
        const auto got =
            writer.collective(1, {CollectiveKind::send_recv, 1_MB, 1 - rank, 0}, "receive");
        const auto used = writer.recorded(0, "use", 1, {on(got)});
        writer.collective(1, {CollectiveKind::send_recv, 1_MB, rank, 0}, "send", {on(used)});
        programs.push_back(writer.done());
    }
    add_ranks(graph, programs, 2);
    add_communicator(graph, Purpose::pipeline, {0, 1}, {0});
    add_communicator(graph, Purpose::pipeline, {1, 0}, {1});
    return graph;
}

TEST_P(Deadlock, NamesTheTasksAndWhatEachWaitsFor)
{
    EXPECT_EQ(message(both_receive_first()),
              "deadlock: nothing runs and the heads of 4 streams wait:\n"
              "  rank 0, stream \"compute\", step 0: \"use\" waits for \"receive\" on stream "
              "\"messages\", step 0\n"
              "  rank 0, stream \"messages\", step 0: \"receive\" waits for 1 of 2 members of "
              "communicator 1 (rank 1)\n"
              "  rank 1, stream \"compute\", step 0: \"use\" waits for \"receive\" on stream "
              "\"messages\", step 0\n"
              "  rank 1, stream \"messages\", step 0: \"receive\" waits for 1 of 2 members of "
              "communicator 0 (rank 0)");
}

TEST_P(Deadlock, NamesOnlyAHandfulOfManyTasks)
{
    // Rank 0 never joins; the seven others wait for it.
    workload::TaskGraph graph;
    ProgramWriter absent{graph, {"compute"}};
    absent.recorded(0, "work", 1);
    ProgramWriter waiting{graph, {"compute", "data"}};
    waiting.collective(1, {CollectiveKind::all_reduce, 1_MB, 0, 0}, "all-reduce");
    std::vector<ProgramId> programs{absent.done()};
    programs.resize(8, waiting.done());
    add_ranks(graph, programs, 1);
    add_communicator(graph, Purpose::data, {0, 1, 2, 3, 4, 5, 6, 7}, {0});
    const auto text = message(graph);
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "deadlock: nothing runs and the heads of 7 streams wait:");
    EXPECT_NE(text.find("rank 6, stream \"data\", step 0: \"all-reduce\" waits for 1 of 8 members "
                        "of communicator 0 (rank 0)\n  and 1 more"),
              std::string::npos)
        << text;
}

TEST_P(Deadlock, MembersThatBringDifferentCollectivesAreNamed)
{
    workload::TaskGraph graph;
    ProgramWriter small{graph, {"compute", "data"}};
    small.collective(1, {CollectiveKind::all_reduce, 1_MB, 0, 0}, "small");
    ProgramWriter large{graph, {"compute", "data"}};
    large.collective(1, {CollectiveKind::all_reduce, 2_MB, 0, 0}, "large");
    const auto first = small.done();
    add_ranks(graph, {first, large.done()}, 1);
    add_communicator(graph, Purpose::data, {0, 1}, {0});
    EXPECT_EQ(message(graph),
              "collective 0 of communicator 0 differs between its members: rank 0 brings \"small\" "
              "of 1000000 B, rank 1 brings \"large\" of 2000000 B");
}

TEST(SimulateInput, MoreRanksThanGpusAreRefused)
{
    workload::TaskGraph graph;
    ProgramWriter writer{graph, {"compute"}};
    writer.recorded(0, "work", 1);
    add_ranks(graph, std::vector<ProgramId>(9, writer.done()), 0);
    const auto cluster = ideal_cluster(2, 4);
    try {
        static_cast<void>(run(Job{cluster, graph}, {engine::Kind::native}));
        FAIL() << "accepted";
    } catch (const InputError& error) {
        ASSERT_EQ(error.diagnostics().size(), 1U);
        EXPECT_EQ(error.diagnostics()[0].message, "has 9 ranks but the cluster has 8 GPUs");
    }
}

}  // namespace
}  // namespace sim::replay::test
