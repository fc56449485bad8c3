#include "formats/kineto_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/trace_fixture.hpp"
#include "formats/trace_summary.hpp"

// PyTorch's profiler: what is read of a file, whatever wrote it.

namespace sim::formats::test
{
namespace
{

using testing::UnitTest;

Trace read_with(const ScratchFolder& folder, const std::string& name, spec::TraceSpec asked = {})
{
    asked.path = folder.path(name);
    asked.idle_gpus = true;
    return load_trace(asked, 64);
}

Trace read_one(const std::string& text, spec::TraceSpec asked = {})
{
    const ScratchFolder folder;
    folder.write("worker0.pt.trace.json", text);
    return read_with(folder, "worker0.pt.trace.json", std::move(asked));
}

bool says(const Trace& trace, const std::string& words)
{
    return std::any_of(trace.notes.begin(), trace.notes.end(), [&](const Diagnostic& note) {
        return note.message.find(words) != std::string::npos;
    });
}

/// Seconds of all nodes of the label, host's included.
double seconds_of(const Trace& trace, const std::string& label)
{
    double seconds = 0;
    for (const auto& node : trace.ranks[0].nodes) {
        seconds += trace.labels[node.label] == label ? node.seconds : 0;
    }
    return seconds;
}

const TraceNode& only_collective(const Trace& trace)
{
    const auto& nodes = trace.ranks[0].nodes;
    return *std::find_if(nodes.begin(), nodes.end(),
                         [](const TraceNode& node) { return node.kind == TraceKind::collective; });
}

TEST(Kineto, KeepsTheDurationOfEveryKernelAndTheGapBeforeIt)
{
    // Launched at 0, begun at 6: a gap of 6 us; the second follows the first's end at 16 by 1 us.
    const auto trace =
        read_one(KinetoText{}.kernel("gemm", 0, 6, 10).kernel("add", 2, 17, 4).job(0, 1).text());
    EXPECT_NEAR(seconds_of(trace, "gemm"), 10e-6, 1e-12);
    EXPECT_NEAR(seconds_of(trace, "add"), 4e-6, 1e-12);
    EXPECT_NEAR(seconds_of(trace, "launch gap"), 7e-6, 1e-12);
    EXPECT_NEAR(trace.recorded_seconds, 21e-6, 1e-12);
}

TEST(Kineto, OrderInTheFileDoesNotMatter)
{
    KinetoText later;
    later.gpu("add", 17, 4, R"("correlation":2)")
        .launch(2, 2)
        .gpu("gemm", 6, 10, R"("correlation":1)")
        .launch(0, 1)
        .job(0, 1);
    const auto trace = read_one(later.text());
    EXPECT_NEAR(seconds_of(trace, "launch gap"), 7e-6, 1e-12);
    EXPECT_EQ(summarise(trace).critical_path, summarise(read_one(later.text())).critical_path);
}

TEST(Kineto, CategoriesOf2021AndTextsForNumbersAreRead)
{
    const auto trace = read_one(
        R"({"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":7,"tid":"9","ts":0,"dur":3,"args":{"correlation":"18446744073709551615"}},
{"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":7,"tid":"9","ts":10,"dur":3,"args":{"correlation":4294967300}},
{"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7 ","ts":14,"dur":8,"args":{"stream":"7","correlation":4294967300,"external id":"3"}},
{"ph":"X","cat":"Memcpy","name":"copy","pid":0,"tid":"stream 7 ","ts":22,"dur":5,"args":{"stream":7}}]})");
    EXPECT_NEAR(seconds_of(trace, "k"), 8e-6, 1e-12);
    EXPECT_NEAR(seconds_of(trace, "copy"), 5e-6, 1e-12);
    EXPECT_TRUE(says(trace, "1 pieces of GPU work have no launch in the file"));
}

TEST(Kineto, SpansOfAnnotationsAndStreamWaitsAreNoWork)
{
    const auto trace = read_one(KinetoText{}
                                    .kernel("k", 0, 5, 10)
                                    .event("gpu_user_annotation", "step", 5, 10, "")
                                    .event("cuda_sync", "Stream Wait Event", 5, 10, "")
                                    .job(0, 1)
                                    .text());
    EXPECT_NEAR(summarise(trace).most_compute, 10e-6, 1e-12);
}

/// A barrier tells one element; 1024 floats are 4096 bytes, whichever way they are told.
TEST(Kineto, ACollectivesSizeIsTheLargerOfItsBuffers)
{
    const auto gathered =
        R"("Collective name":"_allgather_base","dtype":"BFloat16","In msg nelems":1024,"Out msg nelems":4096,"Process Group Ranks":"[0, 1, 2, 3]")";
    const auto trace = read_one(
        KinetoText{}.kernel("ncclDevKernel_AllGather", 0, 5, 9, gathered).job(0, 4).text());
    EXPECT_EQ(only_collective(trace).size, 8192);
    EXPECT_EQ(only_collective(trace).collective, workload::CollectiveKind::all_gather);
    EXPECT_NEAR(only_collective(trace).seconds, 9e-6, 1e-12);
}

TEST(Kineto, U68KernelsWithoutARecordFunctionIdAreJoinedByExternalIdTimeOrOrder)
{
    const auto comms = [](int external, long elements, const char* name) {
        return fmt::format(
            R"("External id":{},"Collective name":"{}","dtype":"Float","In msg nelems":{},"Out msg nelems":{},"Group size":2)",
            external, name, elements, elements);
    };
    // By External id; by the launch at 20 inside of 19 to 29; the last two by their order.
    const auto trace =
        read_one(KinetoText{}
                     .host("record_param_comms", 50, 1, comms(9, 10, "allreduce"))
                     .kernel("ncclKernel_AllReduce_RING", 0, 5, 3, R"("External id":9)")
                     .host("record_param_comms", 19, 10, comms(77, 20, "allreduce"))
                     .kernel("ncclKernel_AllReduce_RING", 20, 25, 3)
                     .kernel("ncclKernel_AllReduce_RING", 30, 35, 3)
                     .kernel("ncclKernel_AllReduce_RING", 40, 45, 3)
                     .host("record_param_comms", 60, 1, comms(78, 30, "allreduce"))
                     .host("record_param_comms", 70, 1, comms(79, 40, "allreduce"))
                     .job(0, 2)
                     .text());
    std::vector<std::int64_t> sizes;
    for (const auto& node : trace.ranks[0].nodes) {
        if (node.kind == TraceKind::collective) {
            sizes.push_back(node.size);
        }
    }
    EXPECT_EQ(sizes, (std::vector<std::int64_t>{40, 80, 120, 160}));
    EXPECT_TRUE(says(trace, "2 collectives are joined to what the host tells of them by their"));
}

TEST(Kineto, WithoutSizesItSaysWhatToRecordOrAssume)
{
    const ScratchFolder folder;
    folder.write("a.json",
                 KinetoText{}.kernel("ncclKernel_AllReduce_RING_LL", 0, 5, 3).job(0, 2).text());
    const auto words = refusal(folder, "a.json");
    EXPECT_NE(words.find("a.json: error: 1 collectives and messages have no size"),
              std::string::npos)
        << words;
    EXPECT_NE(words.find("trace.transfers: recorded"), std::string::npos);
    spec::TraceSpec asked;
    asked.assumed_size = Bytes::of(64);
    EXPECT_EQ(only_collective(read_with(folder, "a.json", asked)).size, 64);
    asked = {};
    asked.keep_transfers = true;
    EXPECT_TRUE(read_with(folder, "a.json", asked).keeps_transfers);
}

TEST(Kineto, U63AFileWithoutARankIsTakenForRank0OrForTheOneGiven)
{
    const auto text = KinetoText{}.kernel("k", 0, 5, 10).text();
    EXPECT_TRUE(says(read_one(text), "does not tell its rank: it is taken for rank 0"));
    spec::TraceSpec asked;
    asked.rank = 0;
    EXPECT_TRUE(read_one(text, asked).notes.empty());
    const ScratchFolder folder;
    folder.write("a.json", KinetoText{}.kernel("k", 0, 5, 10).job(1, 2).text());
    asked.path = folder.path("a.json");
    asked.idle_gpus = true;
    EXPECT_THROW((void)load_trace(asked, 8), InputError);
}

TEST(Kineto, U66NegativeDurationsAreTakenForNothingAndCounted)
{
    const auto trace =
        read_one(KinetoText{}.kernel("k", 0, 5, -3).kernel("l", 1, 6, 2).job(0, 1).text());
    EXPECT_TRUE(says(trace, "1 negative durations are taken for 0"));
    EXPECT_EQ(seconds_of(trace, "k"), 0);
}

/// The kernel's recorded start, 5, is before its launch's, 8: it begins with it. The next one, 2 us
/// after the recorded end at 15, is then late by 1 us after 18, not by 2.
TEST(Kineto, U66AKernelIsNotTakenToBeginBeforeItsLaunch)
{
    const auto trace =
        read_one(KinetoText{}.kernel("k", 8, 5, 10).kernel("l", 9, 19, 2).job(0, 1).text());
    EXPECT_TRUE(says(trace, "1 kernels begin before their launch"));
    EXPECT_NEAR(seconds_of(trace, "launch gap"), 1e-6, 1e-12);
}

TEST(Kineto, OneFileStandsForAllRanksOfItsJobWithGroupsThatRepeat)
{
    const auto trace =
        read_one(KinetoText{}
                     .kernel("ncclDevKernel_AllReduce", 0, 5, 3, told("allreduce", 16, "[1, 3]"))
                     .job(3, 8)
                     .text());
    EXPECT_EQ(rank_count(trace), 8U);
    EXPECT_TRUE(says(trace, "is rank 3 of 8; all ranks are taken to do what it does"));
    // Distance 2 in blocks of 4: 0 and 2, 1 and 3, 4 and 6, ...
    EXPECT_EQ(members(trace.lattices[0], 6), (std::vector<std::uint32_t>{4, 6}));
    const auto summary = summarise(trace);
    EXPECT_EQ(summary.traffic[0].count, 4U);
}

TEST(Kineto, AGroupThatCannotRepeatIsRefused)
{
    const ScratchFolder folder;
    folder.write("a.json",
                 KinetoText{}
                     .kernel("ncclDevKernel_AllReduce", 0, 5, 3, told("allreduce", 16, "[0, 1, 4]"))
                     .job(0, 8)
                     .text());
    EXPECT_NE(refusal(folder, "a.json").find("does not repeat over 8 ranks"), std::string::npos);
}

/// Ranks 0 and 1, the second's clock 1000 us ahead. Rank 1 comes late: its own transfer of 4 us is
/// the transfer, rank 0's 14 us hold 10 us of waiting.
TEST(Kineto, RanksAreAlignedAndTheTransferIsTheShortestOfTheirs)
{
    const ScratchFolder folder;
    const auto comms = told("allreduce", 1024, "[0, 1]");
    folder.write("x.json", KinetoText{}
                               .kernel("k", 0, 5, 10)
                               .kernel("ncclDevKernel_AllReduce", 2, 20, 14, comms, 20)
                               .job(0, 2)
                               .text());
    folder.write("y.json", KinetoText{}
                               .kernel("k", 1003, 1010, 18)
                               .kernel("ncclDevKernel_AllReduce", 1005, 1030, 4, comms, 20)
                               .job(1, 2)
                               .text());
    const auto trace = read_with(folder, "");
    ASSERT_EQ(trace.ranks.size(), 2U);
    EXPECT_EQ(trace.copies, 1U);
    EXPECT_NEAR(only_collective(trace).seconds, 4e-6, 1e-12);
    EXPECT_NEAR(trace.ranks[0].nodes[0].seconds, 0, 1e-12);
    EXPECT_NEAR(trace.ranks[1].nodes[0].seconds, 3e-6, 1e-12);
    EXPECT_NEAR(trace.recorded_seconds, 34e-6, 1e-12);
}

TEST(Kineto, RanksWithoutAFileAndRanksTwiceAreNamed)
{
    const ScratchFolder folder;
    folder.write("x.json", KinetoText{}.kernel("k", 0, 5, 10).job(0, 4).text());
    folder.write("y.json", KinetoText{}.kernel("k", 0, 5, 10).job(2, 4).text());
    EXPECT_NE(refusal(folder, "").find("is of a job of 4 ranks, of which 1, 3 have no file"),
              std::string::npos);
    folder.write("y.json", KinetoText{}.kernel("k", 0, 5, 10).job(0, 4).text());
    EXPECT_NE(refusal(folder, "").find("is rank 0, but so is"), std::string::npos);
}

TEST(Kineto, AFileThatIsCutShortOrHoldsNoEventsIsRefusedWithThePlace)
{
    const ScratchFolder folder;
    auto text = KinetoText{}.kernel("k", 0, 5, 10).job(0, 1).text();
    text.resize(text.size() - 30);
    folder.write("a.json", text);
    EXPECT_NE(refusal(folder, "a.json").find("a.json: error: is not whole JSON"),
              std::string::npos);
    folder.write("b.json", R"({"schemaVersion": 1})");
    EXPECT_NE(refusal(folder, "b.json").find("has no traceEvents"), std::string::npos);
}

TEST(Kineto, BareNotANumberIsReadAndTakenForNoTime)
{
    const auto trace = read_one(
        R"({"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"kernel","name":"k","ts":NaN,"dur":8,"args":{"stream":7}},
{"ph":"X","cat":"kernel","name":"l","ts":5,"dur":8,"args":{"stream":7,"est. occupancy":Infinity}}]})");
    EXPECT_TRUE(says(trace, "1 events without a time are left out"));
    EXPECT_NEAR(summarise(trace).most_compute, 8e-6, 1e-12);
}

}  // namespace
}  // namespace sim::formats::test
