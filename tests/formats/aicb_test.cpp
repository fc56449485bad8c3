#include <gtest/gtest.h>

#include "formats/trace_fixture.hpp"
#include "formats/trace_summary.hpp"

// AICB's CSV: rows become collectives of the groups that Megatron-LM would make.

namespace sim::formats::test
{
namespace
{

const std::string kColumns =
    "comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,algbw,"
    "busbw,count\n";

std::string row(const std::string& what, const std::string& group, const std::string& additional)
{
    return "CommType." + what + ",CommGroup." + group + ",forward,None,None," + additional +
           ",None,None,None,1\n";
}

TEST(Aicb, RowsAreAwaitedOneAfterAnotherInTheirGroups)
{
    const ScratchFolder folder;
    folder.write("a.csv", "[rank0 ~ rank7]\r\n" + kColumns +
                              row("all_reduce", "tp_group,2,19327352832", "") +
                              row("all_gather", "dp_group,4,4096", "") +
                              "CommType.epoch_end,None,None,None,,None,None,,None,None,None,1\n");
    const auto trace = read(folder, "a.csv", 8);
    ASSERT_EQ(rank_count(trace), 8U);
    ASSERT_EQ(trace.ranks[0].nodes.size(), 2U);
    EXPECT_EQ(trace.ranks[0].nodes[0].size, 19'327'352'832);
    EXPECT_EQ(trace.ranks[0].nodes[1].dependences, 1U);
    EXPECT_EQ(members(trace.lattices[0], 5), (std::vector<std::uint32_t>{4, 5}));
    EXPECT_EQ(members(trace.lattices[1], 5), (std::vector<std::uint32_t>{1, 3, 5, 7}));
    // Four pairs all-reduce, two groups of four gather.
    const auto summary = summarise(trace);
    EXPECT_EQ(summary.groups, 6U);
}

/// Two stages of two ranks: 0 sends to 2, 1 to 3.
TEST(Aicb, StagesSendToTheSamePlaceOfTheNext)
{
    const ScratchFolder folder;
    folder.write("a.csv", "[ pp_stage0: [rank0, rank1] ]\n" + kColumns +
                              row("all_reduce", "tp_group,2,64", "") +
                              row("isend", "pp_group,1,128", "send_next") +
                              "[ pp_stage1: [rank2, rank3] ]\n" + kColumns +
                              row("irecv", "pp_group,1,128", "recv_prev") +
                              row("all_reduce", "tp_group,2,64", ""));
    const auto trace = read(folder, "a.csv", 4);
    ASSERT_EQ(trace.ranks.size(), 4U);
    EXPECT_EQ(trace.ranks[1].nodes[1].kind, TraceKind::send);
    EXPECT_EQ(trace.ranks[1].nodes[1].peer, 3U);
    EXPECT_EQ(trace.ranks[3].nodes[0].kind, TraceKind::receive);
    EXPECT_EQ(trace.ranks[3].nodes[0].peer, 1U);
}

TEST(Aicb, ColumnsMayLackTheGroupsSize)
{
    const ScratchFolder folder;
    folder.write("a.csv",
                 "comm_type,comm_group,msg_size,stage,dst,src,additional,_elapsed_time,algbw,"
                 "busbw,count\nCommType.all_to_all,CommGroup.dp_group,4096,warmup,None,None,,None,"
                 "None,None,1\n");
    EXPECT_EQ(read(folder, "a.csv", 8).groups[0].ranks.size(), 8U);
}

TEST(Aicb, MistakesAreNamedWithTheirLines)
{
    const ScratchFolder folder;
    folder.write("a.csv", "[rank0 ~ rank7]\n" + kColumns + row("reduce", "dp_group,8,64", "") +
                              "CommType.all_reduce,CommGroup.dp_group\n" +
                              row("all_reduce", "dp_group,8,many", ""));
    const auto words = refusal(folder, "a.csv");
    EXPECT_NE(words.find("a.csv:3: error: comm_type \"reduce\" cannot be simulated"),
              std::string::npos)
        << words;
    EXPECT_NE(words.find("a.csv:4: error: has 2 cells, but there are 12 columns"),
              std::string::npos);
    EXPECT_NE(words.find("a.csv:5:"), std::string::npos);
    folder.write("b.csv", "[rank0 ~ rank7]\n" + kColumns + row("all_reduce", "dp_group,3,64", ""));
    EXPECT_NE(refusal(folder, "b.csv").find("groups of 3 do not divide 8 ranks"),
              std::string::npos);
}

}  // namespace
}  // namespace sim::formats::test
