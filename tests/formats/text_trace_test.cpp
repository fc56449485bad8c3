#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/goal.hpp"
#include "formats/layer_workload.hpp"
#include "formats/trace_fixture.hpp"
#include "formats/trace_summary.hpp"

namespace sim::formats::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::string layers_refusal(const std::string& content, std::uint32_t gpus = 4)
{
    try {
        (void)read_layer_workload("w.txt", content, gpus);
    } catch (const InputError& error) {
        return error.what();
    }
    return "read";
}

std::string goal_refusal(const std::string& content)
{
    try {
        (void)read_goal("s.goal", content);
    } catch (const InputError& error) {
        return error.what();
    }
    return "read";
}

TEST(Goal, NothingAtAllIsRefused)
{
    EXPECT_THAT(goal_refusal(""), testing::HasSubstr("s.goal: error: is empty"));
    EXPECT_THAT(goal_refusal("\n  \n"), testing::HasSubstr("is empty"));
}

/// Forward a, b; backward b (weights, input), a (weights, input): 10 + 20 + (22 + 21) + (12 + 11)
/// = 96 ns of one lane; the weights' collectives run beside it.
TEST(LayerWorkload, AStepIsForwardThenBackwardFromTheLastLayer)
{
    const auto trace = read_layer_workload("w.txt",
                                           "DATA\r\n2\t\t\r\n"
                                           "a\t-1\t10 NONE 0 11 NONE 0 12 ALLREDUCE 64 5\t\r\n"
                                           "b\t-1\t20 NONE 0 21 NONE 0 22 ALLREDUCE 64 5\r\n",
                                           2);
    const auto summary = summarise(trace);
    EXPECT_NEAR(summary.most_compute, 96e-9, 1e-15);
    ASSERT_EQ(summary.traffic.size(), 1U);
    EXPECT_EQ(summary.traffic[0].count, 2U);
    std::vector<std::string> names;
    for (const auto& node : trace.ranks[0].nodes) {
        if (node.kind == TraceKind::compute && node.lane == 0) {
            names.push_back(trace.labels[node.label]);
        }
    }
    EXPECT_THAT(names, ElementsAre("a", "b", "b", "b", "a", "a"));
}

/// Two model-parallel ranks of four: inputs among neighbours, weights among ranks 0, 2 and 1, 3.
TEST(LayerWorkload, AHybridTransformerReducesWeightsOverTheOtherDimension)
{
    const auto trace =
        read_layer_workload("w.txt",
                            "HYBRID_TRANSFORMER model_parallel_NPU_group: 2\n1\n"
                            "a -1 1 ALLREDUCE 32 1 NONE 0 1 ALLREDUCE 19327352832 1\n",
                            4);
    ASSERT_EQ(trace.copies, 4U);
    const auto& nodes = trace.ranks[0].nodes;
    EXPECT_THAT(members(trace.lattices[nodes.at(1).group], 2), ElementsAre(2U, 3U));
    EXPECT_THAT(members(trace.lattices[nodes.at(3).group], 2), ElementsAre(0U, 2U));
    EXPECT_EQ(nodes.at(3).size, 19'327'352'832);  // more than 32 bits hold
}

/// Backward of layer 1 first repeats the forward from the checkpoint at 0: 2 + 2 forwards of 10 ns.
TEST(LayerWorkload, CheckpointsRepeatTheForward)
{
    const auto with = summarise(read_layer_workload(
        "w.txt",
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 checkpoints: 1 0 "
        "checkpoint_initiates: 1 1\n2\n"
        "a -1 10 NONE 0 1 NONE 0 1 NONE 0 1\nb -1 10 NONE 0 1 NONE 0 1 NONE 0 1\n",
        1));
    EXPECT_NEAR(with.most_compute, (40 + 4) * 1e-9, 1e-15);
}

TEST(LayerWorkload, WhatIsWrongIsSaidWithItsLine)
{
    EXPECT_THAT(layers_refusal("DATA\n3\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n"),
                HasSubstr("w.txt:2: error: says 3 layers, but 1 lines follow"));
    EXPECT_THAT(layers_refusal("DATA\n1\na -1 1 NONE 0 1 ALLREDUCED 8 1 NONE 0 1\n"),
                HasSubstr("w.txt:3: error: \"ALLREDUCED\" is no collective"));
    EXPECT_THAT(layers_refusal("DATA\n1\na -1 x NONE 0 1 NONE 0\n"), HasSubstr("has 8 columns"));
    EXPECT_THAT(layers_refusal("HYBRID_TRANSFORMER model_parallel_NPU_group: 3\n1\n"
                               "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n"),
                HasSubstr("3 x ep 1 does not divide 4 GPUs"));
    EXPECT_THAT(layers_refusal("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 pp: 4\n"
                               "1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n"),
                HasSubstr("pipeline stages, whose schedule the file does not tell"));
    EXPECT_THAT(layers_refusal("DATA\n"), HasSubstr("ends before its layers"));
}

TEST(Goal, LabelsMayComeLaterAndAreARanksOwn)
{
    const auto trace =
        read_goal("s.goal",
                  "num_ranks 2\n\nrank 0 {\nl2 requires l1\nl1: calc 1000 cpu 1\n"
                  "l2: send 8b to 1 tag 3\n}\nrank 1 {\nl1: recv 8b from 0 tag 3\n}\n");
    ASSERT_EQ(trace.ranks.size(), 2U);
    EXPECT_DOUBLE_EQ(trace.ranks[0].nodes.at(0).seconds, 1e-6);
    EXPECT_EQ(trace.ranks[0].nodes.at(0).lane, 1U);
    EXPECT_THAT(trace.ranks[0].dependences, ElementsAre(0U));
    EXPECT_EQ(trace.ranks[1].nodes.at(0).tag, 3);
}

/// c may start when b starts, which is when a has ended.
TEST(Goal, IrequiresWaitsForTheStart)
{
    const auto trace =
        read_goal("s.goal",
                  "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nc: calc 1\nb requires a\n"
                  "c irequires b\n}\n");
    const auto& rank = trace.ranks[0];
    ASSERT_EQ(rank.nodes.at(2).dependences, 1U);
    EXPECT_EQ(rank.dependences.at(rank.nodes[2].first_dependence), 0U);
}

TEST(Goal, WhatIsWrongIsSaidWithItsLine)
{
    EXPECT_THAT(goal_refusal("num_ranks 1\nrank 0 {\na: calc 1\n"),
                HasSubstr("s.goal:2: error: is not closed with }"));
    EXPECT_THAT(goal_refusal("num_ranks 1\nrank 0 {\na: calc 1\nb requires a\n}\n"),
                HasSubstr("s.goal:4: error: there is no operation \"b\" in this rank"));
    EXPECT_THAT(goal_refusal("num_ranks 1\nrank 4 {\n}\n"), HasSubstr("is beyond the 1 ranks"));
    EXPECT_THAT(goal_refusal("num_ranks 1\nrank 0 {\na: send 8 to 0 tag 1\n}\n"),
                HasSubstr("must be send BYTESb to RANK"));
    EXPECT_THAT(goal_refusal("num_ranks 1\nrank 0 {\na: jump 8\n}\n"),
                HasSubstr("is no operation"));
}

/// "num_ranks 1\nrank 0 {\na: calc 5\n}\n" through gzip -n: recognised without a suffix; cut short,
/// it is refused.
TEST(TraceFiles, PackedFilesAreRecognisedByTheirContent)
{
    const ScratchFolder folder;
    const unsigned char packed[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03};
    const std::string head{reinterpret_cast<const char*>(packed), sizeof packed};
    // One stored block (RFC 1951 3.2.4): final, length, its complement, the bytes; then CRC and
    // size.
    const std::string content = "num_ranks 1\nrank 0 {\na: calc 5\n}\n";
    std::uint32_t crc = 0xffffffffU;
    for (const char each : content) {
        crc ^= static_cast<unsigned char>(each);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ (0xedb88320U & (~(crc & 1U) + 1U));
        }
    }
    crc = ~crc;
    const auto little = [](std::uint64_t value, int count) {
        std::string text;
        for (int i = 0; i < count; ++i) {
            text += static_cast<char>(value >> (8U * static_cast<unsigned>(i)));
        }
        return text;
    };
    const auto whole = head + "\x01" + little(content.size(), 2) + little(~content.size(), 2) +
                       content + little(crc, 4) + little(content.size(), 4);
    folder.write("schedule", whole);
    EXPECT_EQ(read(folder, "schedule", 1).format, "GOAL");
    folder.write("schedule", whole.substr(0, whole.size() - 20));
    EXPECT_THAT(refusal(folder, "schedule"), HasSubstr("cannot be unpacked"));
}

}  // namespace
}  // namespace sim::formats::test
