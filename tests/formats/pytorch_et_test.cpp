#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/trace_fixture.hpp"
#include "formats/trace_summary.hpp"

// Execution traces of PyTorch: operators and collectives without times. The nodes are in the form
// of et_replay's samples (github.com/facebookresearch/param, et_replay/tests/inputs).

namespace sim::formats::test
{
namespace
{

std::string file_of(const std::string& schema, const std::string& nodes)
{
    return R"({"schema":")" + schema + R"(","pid":1,"nodes":[)" + nodes + "]}";
}

/// Schema 1.0.1 has everything in the node.
std::string flat(int id, int parent, const std::string& name, const std::string& rest)
{
    return fmt::format(R"({{"name":"{}","id":{},"parent":{},"fw_parent":0,"op_schema":"",{}}})",
                       name, id, parent, rest);
}

const std::string kTwoMatrices =
    R"("inputs":[[1,11,0,200,4,"cuda:0"],[2,12,0,600,4,"cuda:0"]],"input_shapes":[[10,20],[20,30]],)"
    R"("outputs":[[3,13,0,300,4,"cuda:0"]],"output_shapes":[[10,30]])";

/// 10 x 20 times 20 x 30: 2 x 6,000 FLOPs; 200 + 600 + 300 elements of 4 bytes. linear is made of
/// it, view and what is on the CPU take nothing.
TEST(PytorchEt, OperatorsWithoutPartsHaveTheirBytesAndFlops)
{
    const ScratchFolder folder;
    folder.write(
        "et.json",
        file_of(
            "1.0.1",
            flat(7, 5, "aten::mm", kTwoMatrices) + "," + flat(5, 2, "aten::linear", kTwoMatrices) +
                "," + flat(8, 2, "aten::view", kTwoMatrices) + "," +
                flat(9, 2, "aten::add",
                     R"("inputs":[[1,11,0,200,4,"cpu"]],"input_shapes":[[200]],"outputs":[])")));
    const auto trace = read(folder, "et.json", 1);
    ASSERT_EQ(trace.ranks[0].nodes.size(), 1U);
    EXPECT_EQ(trace.ranks[0].nodes[0].flops, 12'000);
    EXPECT_EQ(trace.ranks[0].nodes[0].bytes, 4'400);
}

/// The collective's storage is 13: the product that makes it comes first, what reads it waits.
TEST(PytorchEt, CollectivesOfBothFormsAreReadWithTheirGroup)
{
    const ScratchFolder folder;
    const auto reads = R"("inputs":[[3,13,0,300,4,"cuda:0"]],"input_shapes":[[300]],"outputs":[])";
    folder.write(
        "old.json",
        file_of("1.0.1",
                flat(1, 0, "aten::mm", kTwoMatrices) + "," +
                    flat(2, 0, "record_param_comms",
                         R"("inputs":[[[3,13,0,300,4,"cuda:0"]],9,77,0,"allreduce",[],[]],)"
                         R"("outputs":[])") +
                    "," + flat(3, 0, "aten::relu", reads)));
    const auto old = read(folder, "old.json", 1);
    ASSERT_EQ(old.ranks[0].nodes.size(), 3U);
    EXPECT_EQ(old.ranks[0].nodes[1].kind, TraceKind::collective);
    EXPECT_EQ(old.ranks[0].nodes[1].size, 1200);
    EXPECT_EQ(old.ranks[0].nodes[2].dependences, 2U);

    folder.write(
        "new.json",
        file_of("1.0.3-chakra.0.0.4",
                R"({"id":2,"name":"record_param_comms","ctrl_deps":1,"inputs":{"values":)"
                R"([[[3,13,0,300,4,"cuda:0"]],9,["1","tp"],2,"_allgather_base",[],[],0,2,4],)"
                R"("shapes":[],"types":[]},"outputs":{"values":[[4,14,0,1200,4,"cuda:0"]],)"
                R"("shapes":[]},"attrs":[{"name":"fw_parent","value":0}]})"));
    spec::TraceSpec asked;
    asked.path = folder.path("new.json");
    EXPECT_THROW((void)load_trace(asked, 8), InputError);  // ranks 0, 2, 4, 6 of a job of four
}

TEST(PytorchEt, AWaitIsForTheCollectiveOfItsNumber)
{
    const ScratchFolder folder;
    folder.write(
        "et.json",
        file_of(
            "1.0.1",
            flat(2, 0, "record_param_comms",
                 R"("inputs":[[3,13,0,300,4,"cuda:0"],5,77,0,"all_to_all",[],[]],"outputs":[])") +
                "," + flat(4, 0, "record_param_comms", R"("inputs":[5,0,0,"wait",[],[]])") + "," +
                flat(6, 0, "aten::mm", kTwoMatrices)));
    const auto trace = read(folder, "et.json", 1);
    ASSERT_EQ(trace.ranks[0].nodes.size(), 2U);
    EXPECT_EQ(trace.ranks[0].nodes[1].dependences, 1U);
}

/// Two files, the second of rank 0; uneven all-to-alls take the larger size.
TEST(PytorchEt, RanksAreToldByTheirCollectives)
{
    const auto rank = [](int number, int elements) {
        return file_of(
            "1.0.1",
            flat(
                2, 0, "record_param_comms",
                fmt::format(
                    R"("inputs":[[3,13,0,{},4,"cuda:0"],5,77,{},"all_to_allv",[],[]],"outputs":[])",
                    elements, number)));
    };
    const ScratchFolder folder;
    folder.write("a.json", rank(1, 100));
    folder.write("b.json", rank(0, 50));
    const auto trace = read(folder, "", 2);
    ASSERT_EQ(trace.ranks.size(), 2U);
    EXPECT_EQ(trace.ranks[0].nodes[0].size, 400);
    EXPECT_EQ(trace.groups[0].ranks, (std::vector<std::uint32_t>{0, 1}));
    folder.write("b.json", rank(2, 50));
    EXPECT_NE(refusal(folder, "").find("is rank 1, where rank 0 should come"), std::string::npos);
}

TEST(PytorchEt, WhatIsCutShortIsRefusedWithThePlace)
{
    const ScratchFolder folder;
    auto text = file_of("1.0.1", flat(1, 0, "aten::mm", kTwoMatrices));
    text.resize(text.size() - 5);
    folder.write("et.json", text);
    EXPECT_NE(refusal(folder, "et.json").find("et.json: error: is not whole JSON"),
              std::string::npos);
}

}  // namespace
}  // namespace sim::formats::test
