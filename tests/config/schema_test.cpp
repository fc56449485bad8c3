#include "config/schema.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "config/explore.hpp"
#include "config/map_reader.hpp"

namespace sim::config
{
namespace
{

std::string told(const std::vector<Condition>& conditions)
{
    std::string text;
    for (const auto& condition : conditions) {
        for (const auto& name : condition.key) {
            text += name + ".";
        }
        text += condition.is == Condition::Is::absent    ? "absent "
                : condition.is == Condition::Is::present ? "present "
                                                         : condition.value + " ";
    }
    return text;
}

const KeyOutline& key(const MapOutline& map, const std::string& name)
{
    const auto* found = map.find(name);
    if (found == nullptr) {
        throw std::runtime_error{name + " was not found"};
    }
    return *found;
}

TEST(Schema, AKeyIsRequiredWhereOneWordAsksForIt)
{
    const auto outline = explore([](const Node& root, Report& report) {
        MapReader reader{report, root};
        const auto round =
            reader.required("shape", choice<bool>({{"round", true}, {"long", false}}));
        if (round) {
            (void)reader.required("radius", count("1"));
        } else {
            (void)reader.optional("width", count("1"));
        }
        reader.finish();
    });
    EXPECT_TRUE(key(*outline, "shape").always_required);
    EXPECT_FALSE(key(*outline, "radius").always_required);
    EXPECT_EQ(told(key(*outline, "radius").required_when), "shape.round ");
    // Without the word it reads as the first value of the type, false: long.
    EXPECT_EQ(told(key(*outline, "radius").refused_when), "shape.absent shape.long ");
    EXPECT_EQ(told(key(*outline, "width").refused_when), "shape.round ");
}

TEST(Schema, AKeyInAMappingInsideDecidesToo)
{
    const auto outline = explore([](const Node& root, Report& report) {
        MapReader reader{report, root};
        auto inner = reader.optional_section("inner");
        const auto given = inner.optional("time", quantity<Time>("1 s"));
        inner.finish();
        if (given) {
            (void)reader.optional("time", quantity<Time>("1 s"));
        } else {
            (void)reader.required("time", quantity<Time>("1 s"));
        }
        reader.finish();
    });
    // Also where there is no "inner" at all.
    EXPECT_EQ(told(key(*outline, "time").required_when), "inner.time.absent ");
}

TEST(Schema, WhatTwoKeysDecideTogetherIsNotSaidOfOne)
{
    const auto outline = explore([](const Node& root, Report& report) {
        MapReader reader{report, root};
        const bool a = reader.defaulted("a", truth("true"), "false");
        const bool b = reader.defaulted("b", truth("true"), "false");
        if (a || b) {
            (void)reader.required("c", count("1"));
        }
        if (a && b) {
            (void)reader.required("d", count("1"));
        }
        reader.finish();
    });
    EXPECT_EQ(told(key(*outline, "c").required_when), "a.true b.true ");
    EXPECT_EQ(told(key(*outline, "c").refused_when), "");
    EXPECT_EQ(told(key(*outline, "d").required_when), "");
    EXPECT_EQ(told(key(*outline, "d").refused_when), "a.absent a.false b.absent b.false ");
}

TEST(Schema, AKeyThatIsReadOnlyWhereItStandsIsFound)
{
    const auto outline = explore([](const Node& root, Report& report) {
        MapReader reader{report, root};
        if (reader.written("extra")) {
            (void)reader.section("extra", "{ }").required("size", quantity<Bytes>("1 B"));
        }
        reader.finish();
    });
    const auto& extra = key(*outline, "extra");
    EXPECT_FALSE(extra.always_required);
    ASSERT_TRUE(extra.section);
    EXPECT_TRUE(key(*extra.section, "size").always_required);
}

TEST(Schema, TheSameReadersGiveTheSameText)
{
    const auto schema = json_schema("costs");
    EXPECT_EQ(schema, json_schema("costs"));
    EXPECT_NE(schema.find("\"memory_TB\""), std::string::npos);
}

}  // namespace
}  // namespace sim::config
