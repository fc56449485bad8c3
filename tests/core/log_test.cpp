#include "core/log.hpp"

#include <gtest/gtest.h>

namespace sim
{
namespace
{

std::string spoken_at(LogLevel level)
{
    set_log_level(level);
    testing::internal::CaptureStderr();
    const Log log{"fabric"};
    log.warning("w");
    log.info("i");
    log.debug("d");
    log.trace("t");
    auto text = testing::internal::GetCapturedStderr();
    set_log_level(LogLevel::info);
    return text;
}

TEST(Log, NamesTheFolderAndTheLevelOnStderr)
{
    EXPECT_EQ(spoken_at(LogLevel::info), "fabric: warning: w\nfabric: info: i\n");
}

TEST(Log, QuietLeavesWarnings) { EXPECT_EQ(spoken_at(LogLevel::quiet), "fabric: warning: w\n"); }

TEST(Log, DebugAndTraceSayMore)
{
    EXPECT_EQ(spoken_at(LogLevel::debug),
              "fabric: warning: w\nfabric: info: i\nfabric: debug: d\n");
    EXPECT_EQ(spoken_at(LogLevel::trace),
              "fabric: warning: w\nfabric: info: i\nfabric: debug: d\nfabric: trace: t\n");
}

TEST(Log, TheLevelReachesLoggersMadeLater)
{
    set_log_level(LogLevel::trace);
    EXPECT_TRUE(Log{"made later"}.enabled(LogLevel::trace));
    set_log_level(LogLevel::info);
    EXPECT_FALSE(Log{"made later"}.enabled(LogLevel::debug));
    EXPECT_TRUE(Log{"made later"}.enabled(LogLevel::info));
}

TEST(Log, BracesInTheTextAreText)
{
    testing::internal::CaptureStderr();
    Log{"core"}.info("{} {:d}");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "core: info: {} {:d}\n");
}

TEST(Log, WritesNothingToStdout)
{
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Log{"core"}.warning("x");
    EXPECT_NE(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace sim
