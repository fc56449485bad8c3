#include "core/diagnostics.hpp"

#include <gtest/gtest.h>

namespace sim
{
namespace
{

Diagnostic at_bandwidth()
{
    return {.key = "fabric.nvlink.bandwidth",
            .message = "\"900 GB\" is not a bandwidth: unknown unit \"GB\"",
            .hint = "write one of Gbps, GB/s",
            .file = "configs/bad.yaml",
            .line = 3,
            .column = 16,
            .source_line = "    bandwidth: 900 GB"};
}

TEST(Diagnostics, RenderLikeACompiler)
{
    EXPECT_EQ(render({at_bandwidth()}),
              "configs/bad.yaml:3:16: error: fabric.nvlink.bandwidth: \"900 GB\" is not a "
              "bandwidth: unknown unit \"GB\"\n"
              "    3 |     bandwidth: 900 GB\n"
              "      |                ^\n"
              "      = write one of Gbps, GB/s\n");
}

TEST(Diagnostics, WithoutALineOnlyTheFileIsNamed)
{
    auto diagnostic = at_bandwidth();
    diagnostic.line = 0;
    diagnostic.message = "is missing";
    EXPECT_EQ(render({diagnostic}),
              "configs/bad.yaml: error: fabric.nvlink.bandwidth: is missing\n"
              "      = write one of Gbps, GB/s\n");
}

TEST(Diagnostics, WithoutAFileOnlyTheKeyIsNamed)
{
    EXPECT_EQ(render({{.key = "seed", .message = "is missing"}}), "error: seed: is missing\n");
}

TEST(Diagnostics, WithoutAKeyTheMessageStandsAlone)
{
    EXPECT_EQ(render({{.message = "no such file", .file = "a.yaml"}}),
              "a.yaml: error: no such file\n");
}

TEST(Diagnostics, WithoutASourceLineThereIsNoCaret)
{
    EXPECT_EQ(render({{.key = "k", .message = "m", .file = "f", .line = 2, .column = 5}}),
              "f:2:5: error: k: m\n");
}

TEST(Diagnostics, WithoutAColumnTheLineIsShownUnmarked)
{
    EXPECT_EQ(render({{.key = "k", .message = "m", .file = "f", .line = 2, .source_line = "a: b"}}),
              "f:2: error: k: m\n    2 | a: b\n");
}

TEST(Diagnostics, LargeLineNumbersPushTheGutterOnlyOnTheirOwnLine)
{
    EXPECT_EQ(
        render({{.message = "m", .file = "f", .line = 12345, .column = 1, .source_line = "a"}}),
        "f:12345:1: error: m\n12345 | a\n      | ^\n");
}

TEST(Diagnostics, TheCaretStandsUnderTabsAndAfterLongCharacters)
{
    // Column 5 of tab, e-acute (two bytes), colon, x: one tab and two columns before the caret.
    EXPECT_EQ(
        render(
            {{.message = "m", .file = "f", .line = 1, .column = 5, .source_line = "\t\xC3\xA9:x"}}),
        "f:1:5: error: m\n    1 | \t\xC3\xA9:x\n      | \t  ^\n");
}

TEST(Diagnostics, AllAreRenderedInOrder)
{
    EXPECT_EQ(render({{.message = "first"}, {.message = "second"}}),
              "error: first\nerror: second\n");
}

TEST(Diagnostics, WarningsSaySoAndAreNoErrors)
{
    const Diagnostic warning{.message = "odd", .severity = Diagnostic::Severity::warning};
    EXPECT_EQ(render({warning}), "warning: odd\n");
    EXPECT_FALSE(has_errors({}));
    EXPECT_FALSE(has_errors({warning}));
    EXPECT_TRUE(has_errors({warning, {.message = "wrong"}}));
}

TEST(InputError, SaysWhatIsRenderedAndKeepsTheParts)
{
    const InputError error{{at_bandwidth()}};
    EXPECT_EQ(error.what(), render({at_bandwidth()}));
    ASSERT_EQ(error.diagnostics().size(), 1U);
    EXPECT_EQ(error.diagnostics()[0].line, 3);
}

const std::vector<std::string> kKeys{"bandwidth", "latency", "efficiency", "nodes", "of_gpu"};

TEST(Closest, FindsOneSlipOfEachKind)
{
    EXPECT_EQ(closest("bandwith", kKeys), "bandwidth");     // a letter left out
    EXPECT_EQ(closest("latenccy", kKeys), "latency");       // one too many
    EXPECT_EQ(closest("effidiency", kKeys), "efficiency");  // another one
    EXPECT_EQ(closest("ndoes", kKeys), "nodes");            // two swapped: one slip, not two
}

TEST(Closest, ForgivesCase) { EXPECT_EQ(closest("BandWidth", kKeys), "bandwidth"); }

TEST(Closest, AllowsOneSlipPerThreeLetters)
{
    EXPECT_EQ(closest("lattence", kKeys), "latency");  // 8 letters, 2 slips
    EXPECT_EQ(closest("nodezz", kKeys), "nodes");      // 6 letters, 2 slips
    EXPECT_EQ(closest("nezez", kKeys), "");            // 5 letters, 3 slips
}

TEST(Closest, DoesNotGuessAtStrangersOrShortWords)
{
    EXPECT_EQ(closest("memory", kKeys), "");
    EXPECT_EQ(closest("tp", {"pp", "dp"}), "");
    EXPECT_EQ(closest("", kKeys), "");
    EXPECT_EQ(closest("nodes", {}), "");
}

TEST(Closest, PrefersTheNearerAndAmongEqualsTheFirst)
{
    EXPECT_EQ(closest("spine", {"spins", "spines"}), "spins");
    EXPECT_EQ(closest("spine", {"spineless", "spines"}), "spines");
}

}  // namespace
}  // namespace sim
