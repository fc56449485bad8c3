#include "config/axis_range.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "config/map_reader.hpp"
#include "config/scalar.hpp"

namespace sim::config
{
namespace
{

constexpr double kMostValues = 1e6;
/// A step that should end on `to` may miss it by this part of itself.
constexpr double kSlack = 1e-9;

struct Amount {
    double number = 0;
    std::string unit;
};

std::optional<Amount> amount(const std::string& text)
{
    Amount found;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, found.number);
    if (error != std::errc{} || !std::isfinite(found.number)) {
        return std::nullopt;
    }
    found.unit.assign(stop, end);
    found.unit.erase(0, found.unit.find_first_not_of(' '));
    return found;
}

/// Reads the keys of one range.
class Reader
{
public:
    Reader(Report& report, const Node& node, std::string path)
        : report_{report}, node_{node}, path_{std::move(path)}
    {
    }

    std::optional<Steps> read()
    {
        const auto from = number("from", true);
        const auto to = number("to", true);
        const auto step = number("step", false);
        const auto factor = number("factor", false);
        const auto count = number("count", false);
        const bool logarithmic = scale();
        unknown_keys();
        const int ways = int{step.has_value()} + int{factor.has_value()} + int{count.has_value()};
        if (!from || !to) {
            return std::nullopt;
        }
        if (from->unit != to->unit || (step && step->unit != from->unit)) {
            return wrong("must have one unit in all its numbers",
                         fmt::format("write from: {} {}", from->number, to->unit));
        }
        if (ways > 1) {
            return wrong("has more than one of step, factor and count", "keep one");
        }
        Steps steps{{from->number, to->number, logarithmic || factor.has_value(), from->unit}, {}};
        if (steps.range.from >= steps.range.to) {
            return wrong("must rise: its from is not below its to", "exchange from and to");
        }
        if (steps.range.logarithmic && steps.range.from <= 0) {
            return wrong("has ratios and begins at or below 0", "begin above 0");
        }
        if (ways == 1) {
            return with_values(steps, step, factor, count);
        }
        return steps;
    }

private:
    std::optional<Steps> wrong(const std::string& message, const std::string& hint)
    {
        report_.error(node_.mark, path_, message, hint);
        return std::nullopt;
    }

    std::optional<Amount> number(const std::string& name, bool needed)
    {
        const auto* entry = node_.find(name);
        if (entry == nullptr) {
            if (needed) {
                report_.error(node_.mark, path_ + "." + name, "missing",
                              "write { from: 1, to: 16, factor: 2 }");
            }
            return std::nullopt;
        }
        auto found = entry->value.kind == Node::Kind::scalar ? amount(entry->value.text)
                                                             : std::optional<Amount>{};
        if (!found) {
            report_.error(entry->value.mark, path_ + "." + name, "must be a number", "");
        }
        return found;
    }

    bool scale()
    {
        const auto* entry = node_.find("scale");
        if (entry == nullptr || entry->value.text == "linear") {
            return false;
        }
        if (entry->value.text != "log") {
            report_.error(entry->value.mark, path_ + ".scale", "must be linear or log",
                          "write scale: log");
        }
        return true;
    }

    void unknown_keys()
    {
        const auto known = range_shape().words;
        for (const auto& entry : node_.entries) {
            if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
                const auto near = closest(entry.key, known);
                report_.error(entry.mark, path_ + "." + entry.key, "unknown key",
                              near.empty() ? near : fmt::format("did you mean \"{}\"?", near));
            }
        }
    }

    std::optional<Steps> with_values(Steps steps, const std::optional<Amount>& step,
                                     const std::optional<Amount>& factor,
                                     const std::optional<Amount>& count)
    {
        const auto& range = steps.range;
        double intervals = 0;
        if (step) {
            intervals = step->number > 0 ? (range.to - range.from) / step->number : -1;
        } else if (factor) {
            intervals = factor->number > 1
                            ? std::log(range.to / range.from) / std::log(factor->number)
                            : -1;
        } else {
            const bool whole = count->number == std::floor(count->number);
            intervals = whole && count->number >= 2 ? count->number - 1 : -1;
        }
        const std::string key = step ? "step" : factor ? "factor" : "count";
        const auto complain = [&](const std::string& message, const std::string& hint) {
            report_.error(node_.find(key)->value.mark, path_ + "." + key, message, hint);
            return std::nullopt;
        };
        if (intervals < 0) {
            return step     ? complain("must be above 0", "write step: 1")
                   : factor ? complain("must be above 1", "write factor: 2")
                            : complain("must be a whole number from 2", "write count: 5");
        }
        if (intervals >= kMostValues) {
            return complain("makes more than a million values", "write count: 100");
        }
        const auto last = std::floor(intervals + kSlack);
        steps.values.emplace();
        for (double i = 0; i <= last; ++i) {
            steps.values->push_back(range.at(count ? i / last : i / intervals));
        }
        return steps;
    }

    Report& report_;
    const Node& node_;
    std::string path_;
};

}  // namespace

Shape range_shape()
{
    const auto number = text_shape("1");
    return fields_shape({{"from", number, true},
                         {"to", number, true},
                         {"step", number},
                         {"factor", number},
                         {"count", number},
                         {"scale", word_shape({"linear", "log"})},
                         {"when", text_shape("1")}});
}

std::string Range::at(double part) const
{
    const double number =
        logarithmic ? from * std::pow(to / from, part) : from + part * (to - from);
    return unit.empty() ? fmt::format("{:.12g}", number) : fmt::format("{:.12g} {}", number, unit);
}

std::optional<Steps> read_range(Report& report, const Node& node, const std::string& path)
{
    return Reader{report, node, path}.read();
}

}  // namespace sim::config
