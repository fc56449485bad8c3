#include "formats/timeline.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "formats/trace_fixture.hpp"

// The trace-event format, by its words.

namespace sim::formats::test
{
namespace
{

std::string content(const std::string& path)
{
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    return text.str();
}

TEST(Timeline, IsWrittenAsTraceEvents)
{
    Timeline timeline;
    timeline.labels = {"gemm \"a\""};
    timeline.tracks = {{"rank 0", {"compute"}}};
    timeline.spans = {{0, 0, 0, 0, 1e-6, 3.5e-6}};
    timeline.counters = {{"nic", {{0, 0.25, 0.5}}}};
    const ScratchFolder folder;
    write_timeline(timeline, folder.path("out.json"));
    EXPECT_EQ(
        content(folder.path("out.json")),
        R"({"displayTimeUnit":"ms","traceEvents":[)"
        R"({"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"rank 0"}},)"
        R"({"ph":"M","name":"thread_name","pid":0,"tid":0,"args":{"name":"compute"}},)"
        R"({"ph":"X","name":"gemm \"a\"","pid":0,"tid":0,"cat":"compute","ts":1.0,"dur":2.5},)"
        R"({"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"resources"}},)"
        R"({"ph":"C","name":"nic %","pid":1,"tid":0,"ts":0.0,"args":{"mean":25.0,"busiest":50.0}})"
        R"(]})");
    // Nothing else is left beside it.
    const std::filesystem::directory_iterator files{folder.path()};
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Timeline, AFolderThatIsNotThereIsTold)
{
    EXPECT_THROW(write_timeline({}, "no-such-folder/out.json"), Error);
}

}  // namespace
}  // namespace sim::formats::test
