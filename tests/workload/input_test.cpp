#include "workload/input.hpp"

#include <gtest/gtest.h>

#include "core/literals.hpp"

namespace sim::workload
{
namespace
{

using namespace literals;

Program two_tasks()
{
    Program program;
    program.dependences = {{StreamId{0}, 1, 1}};
    program.streams.push_back(
        {"compute", {{TaskKind::kernel, 0, 0, 1}, {TaskKind::kernel, 0, 1, 0}}});
    program.kernels.emplace_back();
    return program;
}

spec::WorkloadSpec workload(int prefetch)
{
    spec::WorkloadSpec workload;
    workload.global_batch = 64;
    workload.plan.data = 4;
    workload.plan.tensor = 2;
    workload.input = spec::InputSpec{.per_sequence = 1_MiB,
                                     .from = spec::DataTier::storage,
                                     .through_dram = true,
                                     .prefetch = prefetch};
    return workload;
}

TEST(Input, ARankLoadsItsPartOfItsSequences)
{
    auto program = two_tasks();
    std::vector<std::string> labels;
    add_input(program, workload(1), labels);
    ASSERT_EQ(program.copies.size(), 1U);
    EXPECT_EQ(program.copies[0].size, 8_MiB);  // 64 / 4 sequences, half of each
    EXPECT_EQ(program.copies[0].purpose, Purpose::input);
    EXPECT_TRUE(program.copies[0].through_dram);
    EXPECT_EQ(labels[program.copies[0].label], "samples");
}

TEST(Input, TheFirstTaskWaitsForTheSamplesToo)
{
    auto program = two_tasks();
    std::vector<std::string> labels;
    add_input(program, workload(1), labels);
    const auto& first = program.streams[0].tasks[0];
    ASSERT_EQ(first.dependences, 2U);
    const auto* needs = program.dependences.data() + first.first_dependence;
    EXPECT_EQ(needs[0].stream, StreamId{0});  // as before
    EXPECT_EQ(needs[0].steps_back, 1U);
    EXPECT_EQ(needs[1].stream, StreamId{1});
    EXPECT_EQ(needs[1].steps_back, 0U);
}

TEST(Input, ACopyBeginsWhenTheStepThatUsedItsBufferHasEnded)
{
    for (const int prefetch : {0, 1, 3}) {
        auto program = two_tasks();
        std::vector<std::string> labels;
        add_input(program, workload(prefetch), labels);
        const auto& copy = program.streams[1].tasks[0];
        ASSERT_EQ(copy.dependences, 1U);
        const auto& needs = program.dependences[copy.first_dependence];
        EXPECT_EQ(needs.position, 1U);  // the last kernel of a step
        EXPECT_EQ(needs.steps_back, static_cast<std::uint32_t>(prefetch + 1));
    }
}

}  // namespace
}  // namespace sim::workload
