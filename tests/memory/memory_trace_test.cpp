#include "memory/memory_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "core/scratch_folder.hpp"
#include "memory/devices.hpp"

namespace sim::memory
{
namespace
{

constexpr std::uint64_t kCapacity = std::uint64_t{16} << 30U;

class Trace : public testing::Test
{
protected:
    MemoryTrace read(const std::string& text)
    {
        std::ofstream{path_} << text;
        return read_trace(path_, hbm3(), kCapacity);
    }
    std::string complaint(const std::string& text)
    {
        try {
            (void)read(text);
        } catch (const InputError& error) {
            return render(error.diagnostics());
        }
        return "";
    }

    ScratchFolder folder_;
    std::string path_ = folder_.path("trace");
};

TEST_F(Trace, DramSim3LinesHaveTimes)
{
    const auto trace = read("0x2000D5C0 READ 30\n0x40    WRITE  32\n");
    ASSERT_EQ(trace.accesses.size(), 2);
    EXPECT_TRUE(trace.timed);
    EXPECT_EQ(trace.accesses[0].burst.address, 0x2000D5C0U);
    EXPECT_DOUBLE_EQ(trace.accesses[1].at.base(), (hbm3().timing.tCK * 32).base());
    EXPECT_TRUE(trace.accesses[1].burst.write);
}

TEST_F(Trace, RamulatorLinesHaveNone)
{
    const auto trace = read("LD 0x1000\nST 4096\n\n# a note\n8192 R\n");
    ASSERT_EQ(trace.accesses.size(), 3);
    EXPECT_FALSE(trace.timed);
    EXPECT_TRUE(trace.accesses[1].burst.write);
    EXPECT_EQ(trace.accesses[2].burst.address, 8192U);
}

TEST_F(Trace, EveryBadLineIsToldWithItsNumber)
{
    const auto words = complaint("0x0 READ 5\n0x0 FETCH 6\nxyz READ 7\n0x0\n");
    EXPECT_THAT(words, testing::HasSubstr(":2:1: error: \"FETCH\" is no operation"));
    EXPECT_THAT(words, testing::HasSubstr(":3:1: error: has no address"));
    EXPECT_THAT(words, testing::HasSubstr(":4:1: error: is no access"));
}

TEST_F(Trace, AnAddressBeyondTheMemoryIsRefused)
{
    EXPECT_THAT(complaint("0x400000000 READ 5\n"),
                testing::HasSubstr("address 0x400000000 is beyond the 0x400000000 bytes"));
}

TEST_F(Trace, TimesBeforeZeroBackwardsOrInFractionsAreRefused)
{
    EXPECT_THAT(complaint("0x0 READ -1\n"), testing::HasSubstr("time -1 is before 0"));
    EXPECT_THAT(complaint("0x0 READ 9\n0x0 READ 8\n"), testing::HasSubstr("before 9"));
    // Seconds in a column of clocks: the trace of MQSim issue 74.
    EXPECT_THAT(complaint("0x0 READ 0.000231\n"), testing::HasSubstr("not in whole clocks"));
}

TEST_F(Trace, ATimeThatWouldTakeForEverIsRefused)
{
    EXPECT_THAT(complaint("0x0 READ 9000000000000000000\n"),
                testing::HasSubstr("is beyond clock 10000000000"));
    EXPECT_THAT(complaint("0x0 READ 99999999999999999999\n"),
                testing::HasSubstr("not in whole clocks"));
}

/// MQSim issue 74: seconds in a column of nanoseconds, the last completion rounded to 0, and an
/// infinite bandwidth.
TEST_F(Trace, U40ATinyTraceHasAFiniteBandwidthOrIsRefused)
{
    EXPECT_THAT(complaint("0x0 READ 0.000231\n"), testing::HasSubstr("not in whole clocks"));
    const DramSystem system{hbm3(), 1};
    const auto result = system.replay(read("0x0 READ 0\n0x40 WRITE 0\n").accesses);
    EXPECT_GT(result.elapsed, Time{});
    EXPECT_LT(result.achieved, result.peak);
}

TEST_F(Trace, BinaryRubbishIsRefusedWithItsLine)
{
    EXPECT_THAT(complaint(std::string{"\0\xff\xfe READ\n", 8}), testing::HasSubstr(":1:1: error"));
}

TEST_F(Trace, WritesThatOnlyComeInBatchesStillEnd)
{
    auto dram = hbm3();
    dram.controller.idle_drains = false;
    const auto one = DramSystem{dram, 1}.replay(read("0x0 WRITE 0\n").accesses);
    EXPECT_EQ(one.bursts, 1);
}

TEST_F(Trace, AMissingFileIsTheWorldsFault)
{
    EXPECT_THROW((void)read_trace("/no/such/trace", hbm3(), kCapacity), Error);
}

TEST_F(Trace, ATinyTraceDividesByNothing)
{
    const DramSystem system{hbm3(), 1};
    EXPECT_EQ(system.replay(read("").accesses).fraction, 0);
    const auto one = system.replay(read("0x0 READ 0\n").accesses);
    EXPECT_EQ(one.bursts, 1);
    EXPECT_GT(one.fraction, 0);
    EXPECT_LT(one.fraction, 1);
    // tRCD + tCL + burst = 31 + 20 + 2 clocks.
    EXPECT_DOUBLE_EQ(one.read_latency.base(), (hbm3().timing.tCK * 53).base());
}

RC_GTEST_FIXTURE_PROP(Trace, AnyBytesAreReadOrRefused, (const std::string& text))
{
    try {
        for (const auto& access : read(text).accesses) {
            RC_ASSERT(access.burst.address < kCapacity);
            RC_ASSERT(access.at >= Time{});
        }
    } catch (const InputError& error) {
        RC_ASSERT(has_errors(error.diagnostics()));
    }
}

RC_GTEST_FIXTURE_PROP(Trace, WordsInAnyOrderAreReadOrRefused, ())
{
    const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "0x40", "READ", "WRITE", "LD", "-1", "7", "0x", "99999999999999999999", "\n", "\n", "#"));
    std::string text;
    for (const auto& word : words) {
        text += word + " ";
    }
    try {
        (void)DramSystem{hbm3(), 1}.replay(read(text).accesses);
    } catch (const InputError& error) {
        RC_ASSERT(has_errors(error.diagnostics()));
    }
}

}  // namespace
}  // namespace sim::memory
