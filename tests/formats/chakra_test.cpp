#include "formats/chakra.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/chakra_schema.hpp"
#include "formats/trace_fixture.hpp"

namespace sim::formats::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

NodeText collective(std::uint64_t kind, std::uint64_t size)
{
    return {.type = 7, .integers = {{"comm_type", kind}, {"comm_size", size}}};
}

TEST(Chakra, ACollectiveWithoutAGroupIsOfAllRanks)
{
    const ScratchFolder folder;
    for (int rank = 0; rank < 4; ++rank) {
        folder.write("job." + std::to_string(rank) + ".et",
                     metadata() + node(collective(0, 1'048'576)));
    }
    const auto trace = read(folder, "job", 4);
    EXPECT_EQ(trace.format, "Chakra 0.0.4");
    ASSERT_EQ(trace.ranks.size(), 4U);
    EXPECT_THAT(trace.groups.at(0).ranks, ElementsAre(0U, 1U, 2U, 3U));
    EXPECT_EQ(trace.ranks[2].nodes.at(0).size, 1'048'576);
}

/// comm_size is what a rank puts in: the result of a gather over 2 ranks is twice as large.
TEST(Chakra, AGathersSizeIsItsResult)
{
    const ScratchFolder folder;
    folder.write("job.0.et", metadata() + node(collective(2, 1000)));
    folder.write("job.1.et", metadata() + node(collective(2, 1000)));
    const auto trace = read(folder, "job.1.et", 2);
    EXPECT_EQ(trace.ranks[0].nodes.at(0).collective, workload::CollectiveKind::all_gather);
    EXPECT_EQ(trace.ranks[0].nodes.at(0).size, 2000);
}

TEST(Chakra, SizesComeInAnyIntegerField)
{
    const ScratchFolder folder;
    const auto size = bytes(10, bytes(1, "comm_size") + number(13, 19'327'352'832));  // uint64
    folder.write("job.0.et",
                 metadata() + node({.type = 7, .integers = {{"comm_type", 0}}, .more = size}));
    EXPECT_EQ(read(folder, "job", 1).ranks[0].nodes.at(0).size, 19'327'352'832);
}

TEST(Chakra, ASizeThatIsMissingIsRefusedUnlessOneIsAssumed)
{
    const ScratchFolder folder;
    folder.write(
        "job.0.et",
        metadata() + node({.id = 7, .name = "grads", .type = 7, .integers = {{"comm_type", 0}}}));
    EXPECT_THAT(refusal(folder, "job"),
                HasSubstr("1 communication has no size, first node 7 \"grads\" of job.0.et"));
    EXPECT_THAT(refusal(folder, "job"), HasSubstr("--assume-size"));
    spec::TraceSpec asked;
    asked.path = folder.path("job");
    asked.assumed_size = Bytes::of(4096);
    const auto trace = load_trace(asked, 1);
    EXPECT_EQ(trace.ranks[0].nodes.at(0).size, 4096);
    EXPECT_THAT(trace.notes.at(0).message, HasSubstr("4096 B are assumed"));
}

/// Schema 0.0.1: Node{1 id, 2 name, 3 type (3 compute), 4 parent, 7 run time}, no metadata.
TEST(Chakra, TheFirstGenerationIsRecognised)
{
    const ScratchFolder folder;
    folder.write("job.0.eg", delimited(number(1, 0) + bytes(2, "a") + number(3, 3) + number(7, 5)) +
                                 delimited(number(1, 1) + bytes(2, "b") + number(3, 3) +
                                           number(4, 0) + number(7, 5)));
    const auto trace = read(folder, "job", 1);
    EXPECT_EQ(trace.format, "Chakra 0.0.1");
    EXPECT_DOUBLE_EQ(trace.ranks[0].nodes.at(1).seconds, 5e-6);
    EXPECT_THAT(trace.ranks[0].dependences, ElementsAre(0U));
}

/// Attribute of 0.0.2: {1 name, 2 kind, 5 integer of kind 1}; of 0.0.3: {6 integer of kind 2}. The
/// collective of number 1 is all-to-all in both, and the node's kind 6 is a collective in 0.0.2, a
/// receive in 0.0.3.
TEST(Chakra, TheSecondAndThirdGenerationAreToldApartByTheirAttributes)
{
    const ScratchFolder folder;
    const auto attribute = [](int kind, int field, const std::string& name, std::uint64_t value) {
        return bytes(11, bytes(1, name) + number(2, static_cast<std::uint64_t>(kind)) +
                             number(field, value));
    };
    folder.write("second.0.et",
                 delimited(number(1, 0) + bytes(2, "a") + number(3, 6) +
                           attribute(1, 5, "comm_type", 1) + attribute(1, 5, "comm_size", 64)));
    folder.write("third.0.et",
                 delimited(number(1, 0) + bytes(2, "a") + number(3, 7) +
                           attribute(2, 6, "comm_type", 1) + attribute(2, 6, "comm_size", 64)));
    for (const auto* name : {"second", "third"}) {
        const auto trace = read(folder, name, 1);
        const auto& only = trace.ranks[0].nodes.at(0);
        EXPECT_EQ(only.collective, workload::CollectiveKind::all_to_all) << name;
        EXPECT_EQ(only.size, 64) << name;
    }
}

/// In 0.0.4 number 1 is a reduce, which all-to-all was before: reading it wrongly would be worse
/// than not reading it.
TEST(Chakra, WhatFitsSeveralGenerationsIsRefused)
{
    const ScratchFolder folder;
    folder.write("job.0.et", delimited(number(1, 0) + bytes(2, "a") + number(3, 4)));
    EXPECT_THAT(refusal(folder, "job"), HasSubstr("fits more than one version"));
}

TEST(Chakra, GroupsStandInAFileBesideOrInANodeOfMetadata)
{
    const ScratchFolder folder;
    const auto call = [](const char* group) {
        return node({.id = 9,
                     .type = 7,
                     .integers = {{"comm_type", 0}, {"comm_size", 8}},
                     .texts = {{"pg_name", group}}});
    };
    for (int rank = 0; rank < 4; ++rank) {
        folder.write("file." + std::to_string(rank) + ".et",
                     metadata() + call(rank % 2 == 0 ? "5" : "6"));
        const auto list = bytes(8, bytes(1, "['[{\"pg_name\": \"0\", \"ranks\": []}]']"));
        folder.write("within." + std::to_string(rank) + ".et",
                     metadata() +
                         node({.name = "## process_group:init ##", .type = 1, .more = list}) +
                         call("0"));
    }
    folder.write("file.json", R"({"5": [0, 2], "6": [1, 3]})");
    const auto file = read(folder, "file", 4);
    EXPECT_THAT(file.groups[file.ranks[3].nodes.at(0).group].ranks, ElementsAre(1U, 3U));
    const auto within = read(folder, "within", 4);
    EXPECT_THAT(within.groups[within.ranks[3].nodes.at(1).group].ranks,
                ElementsAre(0U, 1U, 2U, 3U));
    folder.write("file.json", "{}");
    EXPECT_THAT(refusal(folder, "file"),
                HasSubstr("process group \"5\", whose ranks nothing tells"));
}

TEST(Chakra, RanksWithoutAFileAreNamed)
{
    const ScratchFolder folder;
    for (const int rank : {0, 1, 4}) {
        folder.write("job." + std::to_string(rank) + ".et", metadata() + node({}));
    }
    EXPECT_THAT(refusal(folder, "job"), HasSubstr("2 of 5 ranks have no file: 2, 3"));
}

TEST(Chakra, DamagedFilesAreRefusedWithThePlace)
{
    const ScratchFolder folder;
    const auto whole = metadata() + node({.id = 1}) + node({.id = 2});
    folder.write("cut.0.et", whole.substr(0, whole.size() - 3));
    EXPECT_THAT(refusal(folder, "cut"), HasSubstr("cut.0.et: error: ends inside message 2"));
    folder.write("empty.0.et", "");
    EXPECT_THAT(refusal(folder, "empty"), HasSubstr("empty.0.et: error: is empty"));
    folder.write("other.0.et", "PNG and so on, no protobuf at all");
    EXPECT_THAT(refusal(folder, "other"), HasSubstr("other.0.et: error: "));
    folder.write("twice.0.et", metadata() + node({.id = 3}) + node({.id = 3}));
    EXPECT_THAT(refusal(folder, "twice"), HasSubstr("two nodes with the id 3"));
}

TEST(Chakra, DependencesOnNodesThatAreNotThereAreCounted)
{
    const ScratchFolder folder;
    folder.write("job.0.et", metadata() + node({.id = 1}) + node({.id = 2, .after = {1, 77, 78}}));
    const auto trace = read(folder, "job", 1);
    EXPECT_EQ(trace.ranks[0].nodes.at(1).dependences, 1U);
    EXPECT_THAT(trace.notes.at(0).message, HasSubstr("2 dependences are on nodes that are not in"));
}

/// Three kernels nothing joins would all start at 0: here 2 follows 1 on stream 7, 3 is on another.
TEST(Chakra, WhatStandsAloneIsOrderedByStreamAndRecordedStart)
{
    const ScratchFolder folder;
    const auto kernel = [](std::uint64_t id, std::uint64_t start, std::uint64_t stream) {
        return node(
            {.id = id, .start_us = start, .duration_us = 10, .integers = {{"stream", stream}}});
    };
    folder.write("job.0.et", metadata() + kernel(2, 50, 7) + kernel(1, 20, 7) + kernel(3, 30, 9));
    const auto trace = read(folder, "job", 1);
    const auto& rank = trace.ranks[0];
    ASSERT_EQ(rank.nodes.at(0).dependences, 1U);
    EXPECT_EQ(rank.nodes[rank.dependences.at(0)].id, 1U);
    EXPECT_EQ(rank.nodes.at(2).dependences, 0U);
    EXPECT_THAT(trace.notes.at(0).message, HasSubstr("3 GPU and communication nodes"));
}

TEST(Chakra, FewerRanksThanGpusAreRefusedUnlessSomeMayIdle)
{
    const ScratchFolder folder;
    folder.write("job.0.et", metadata() + node({}));
    spec::TraceSpec asked;
    asked.path = folder.path("job");
    try {
        (void)load_trace(asked, 32);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("has 1 rank but the cluster has 32 GPUs"));
        EXPECT_THAT(error.what(), HasSubstr("trace.idle_gpus: true"));
    }
    asked.idle_gpus = true;
    EXPECT_EQ(load_trace(asked, 32).ranks.size(), 1U);
}

}  // namespace
}  // namespace sim::formats::test
