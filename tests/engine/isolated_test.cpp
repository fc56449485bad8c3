#include "engine/isolated.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "engine/engine.hpp"

namespace sim::engine
{
namespace
{

template <class Problem>
std::string words_of(const std::function<std::string()>& work)
{
    try {
        (void)in_child(work);
    } catch (const Problem& problem) {
        return problem.what();
    }
    return "nothing was thrown";
}

template <class Problem>
void expect_arrives_as_itself()
{
    EXPECT_EQ(words_of<Problem>([]() -> std::string { throw Problem("what happened"); }),
              "what happened");
}

std::ptrdiff_t open_descriptors()
{
    return std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {});
}

TEST(InChild, BringsBytesBack)
{
    const std::string bytes{"a\0b\n", 4};
    EXPECT_EQ(in_child([&] { return bytes; }), bytes);
    EXPECT_EQ(in_child([] { return std::string{}; }), "");
}

TEST(InChild, BringsMoreBytesThanAPipeHolds)
{
    // A pipe holds 64 KiB; the parent must read before it waits.
    const std::string bytes(20'000'000, 'x');
    EXPECT_EQ(in_child([&] { return bytes; }), bytes);
}

TEST(InChild, RunsInAProcessOfItsOwn)
{
    int here = 1;
    const auto child = in_child([&] {
        here = 2;
        return std::to_string(::getpid());
    });
    EXPECT_EQ(here, 1);
    EXPECT_NE(child, std::to_string(::getpid()));
}

TEST(InChild, ExceptionsArriveAsTheirKind)
{
    expect_arrives_as_itself<Error>();
    expect_arrives_as_itself<Stalled>();
    expect_arrives_as_itself<ContractViolation>();
    expect_arrives_as_itself<std::invalid_argument>();
    expect_arrives_as_itself<std::runtime_error>();
    EXPECT_EQ(words_of<std::runtime_error>([]() -> std::string { throw std::bad_alloc(); }),
              "std::bad_alloc");
}

TEST(InChild, DiagnosticsArriveWhole)
{
    const Diagnostic first{.key = "cluster.nic.bandwidth",
                           .message = "has no unit",
                           .hint = "write one of Gbps, GB/s",
                           .file = "a b.yaml",
                           .line = 3,
                           .column = 16,
                           .source_line = "  bandwidth: 900",
                           .severity = Diagnostic::Severity::error};
    const Diagnostic second{.key = "seed", .severity = Diagnostic::Severity::warning};
    try {
        (void)in_child([&]() -> std::string { throw InputError({first, second}); });
        FAIL() << "nothing was thrown";
    } catch (const InputError& problem) {
        ASSERT_EQ(problem.diagnostics().size(), 2u);
        EXPECT_EQ(render(problem.diagnostics()), render({first, second}));
        EXPECT_EQ(problem.diagnostics()[0].hint, first.hint);
        EXPECT_EQ(problem.diagnostics()[1].severity, Diagnostic::Severity::warning);
    }
}

TEST(InChild, AKilledChildIsAnErrorThatNamesTheSignal)
{
    EXPECT_EQ(words_of<Error>([]() -> std::string {
                  std::raise(SIGKILL);
                  return {};
              }),
              "the child process of a simulation was killed by signal 9 (Killed)");
}

TEST(InChild, AnExitIsAnErrorWithItsCode)
{
    EXPECT_EQ(words_of<Error>([]() -> std::string { ::_exit(7); }),
              "the child process of a simulation ended with exit code 7");
    EXPECT_EQ(words_of<Error>([]() -> std::string { ::_exit(0); }),
              "the child process of a simulation ended without an answer");
}

TEST(InChild, LeavesNoZombieAndNoOpenDescriptor)
{
    const auto before = open_descriptors();
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(in_child([i] { return std::to_string(i); }), std::to_string(i));
        (void)words_of<Error>([]() -> std::string { throw Error("x"); });
    }
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST(InChild, WorksInsideAChild)
{
    EXPECT_EQ(in_child([] { return in_child([] { return std::string{"inner"}; }) + " outer"; }),
              "inner outer");
}

TEST(InChild, WhatWasBufferedIsWrittenOnce)
{
    ::testing::internal::CaptureStdout();
    std::cout << "from the parent, ";
    std::printf("buffered twice");
    (void)in_child([] { return std::string{}; });
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "from the parent, buffered twice");
}

}  // namespace
}  // namespace sim::engine
