#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "config/load.hpp"

namespace sim::sweep
{

/// The points of a sweep by number, in grid order, the first axis slowest. Holds nothing per point.
class Space
{
public:
    /// Throws InputError when a rule cannot be evaluated at all.
    explicit Space(const config::LoadedSweep& sweep);

    [[nodiscard]] std::size_t size() const { return size_; }

    /// False where a rule leaves the point out, or a condition makes it a double of another.
    [[nodiscard]] bool included(std::size_t point) const;

    /// What the point sets, the derived keys last; without the common overrides.
    [[nodiscard]] std::vector<config::Override> settings(std::size_t point) const;

    /// The label of each axis, "-" where the axis sets nothing here.
    [[nodiscard]] std::vector<std::string> labels(std::size_t point) const;

    /// Depends on what the point sets and on the files it names, not on the other points: the same
    /// point of a larger sweep has the same id.
    [[nodiscard]] std::uint64_t id(std::size_t point) const;

private:
    struct Rule {
        std::vector<std::pair<std::size_t, std::vector<std::string>>> labels;
        std::vector<config::Expression> expression;  ///< one or none
    };
    /// The point's value on each axis, and what every variable of an expression stands for.
    struct Place {
        std::vector<std::size_t> value;
        std::vector<bool> applies;
        std::vector<const std::string*> texts;  ///< null where nothing sets the variable
        std::vector<double> numbers;
    };
    /// One variable that an axis's value sets.
    struct Known {
        std::size_t variable = 0;
        const std::string* text = nullptr;
        double number = 0;
    };

    [[nodiscard]] Place place(std::size_t point) const;
    [[nodiscard]] std::vector<Known> known(const spec::Axis& axis, const spec::AxisValue& value,
                                           std::size_t number) const;
    [[nodiscard]] static bool matches(const Rule& rule, const Place& place);
    [[nodiscard]] Rule rule(const spec::PointRule& from) const;
    [[nodiscard]] std::size_t variable(const std::string& name) const;
    [[nodiscard]] std::vector<config::Override> settings(const Place& place) const;

    const spec::SweepSpec& spec_;
    std::vector<std::string> names_;
    std::size_t size_ = 1;
    std::vector<std::vector<std::vector<Known>>> known_;  ///< [axis][value]
    std::map<std::string, std::uint64_t> files_;          ///< path -> hash of what is read there
    std::vector<std::vector<config::Expression>> when_;   ///< of each axis, one or none
    std::vector<Rule> include_;
    std::vector<Rule> exclude_;
    std::vector<config::Expression> derived_;
};

/// Numbers of the points that are simulated, in order. Throws InputError, with places, when an
/// expression has no value at a point, when no point is left, or when two set the same.
[[nodiscard]] std::vector<std::size_t> plan(const Space& space, const config::LoadedSweep& sweep);

}  // namespace sim::sweep
