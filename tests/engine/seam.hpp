#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "engine/play.hpp"

namespace sim::engine::testing
{

constexpr double kGB = 1e9;

/// What the seam promises, asked of every engine. Expected times are worked out beside each test.
class Seam : public ::testing::TestWithParam<Kind>
{
protected:
    [[nodiscard]] Played played(const std::function<void(Stage&)>& set,
                                const std::function<void(Stage&)>& after = {}) const
    {
        return play(GetParam(), set, after);
    }

    template <class Problem>
    [[nodiscard]] std::string words_of(const std::function<void(Stage&)>& set) const
    {
        try {
            (void)play(GetParam(), set);
        } catch (const Problem& problem) {
            return problem.what();
        }
        return "nothing was thrown";
    }
};

inline std::string engine_name(const ::testing::TestParamInfo<Kind>& kind)
{
    return kind.param == Kind::native ? "native" : "simgrid";
}

/// Equal but for the rounding of a few operations.
inline void expect_time(double actual, double expected)
{
    EXPECT_NEAR(actual, expected, 1e-12 * expected) << "off by " << actual / expected - 1;
}

}  // namespace sim::engine::testing
