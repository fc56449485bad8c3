#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "config/read_point_rules.hpp"
#include "core/random.hpp"

namespace sim::config
{
namespace
{

constexpr int kMostSamples = 1'000'000;

struct Sample {
    bool latin = false;
    std::size_t points = 0;
    std::uint64_t seed = 0;
};

/// Where each point stands on one axis, in [0, 1): anywhere, or one in each of equal parts.
std::vector<double> places(const Sample& sample, std::size_t axis)
{
    RandomStream stream{sample.seed, "sample", {axis}};
    std::vector<std::size_t> part(sample.points);
    std::iota(part.begin(), part.end(), std::size_t{0});
    for (auto i = part.size(); sample.latin && i > 1; --i) {
        std::swap(part[i - 1], part[stream.below(i)]);
    }
    std::vector<double> places;
    for (const auto p : part) {
        const double inside = stream.uniform();
        const auto n = static_cast<double>(sample.points);
        places.push_back(sample.latin ? (static_cast<double>(p) + inside) / n : inside);
    }
    return places;
}

std::vector<spec::Setting> drawn(const AxisReading& reading, double place)
{
    if (reading.continuous) {
        return {{reading.axis.name, reading.continuous->at(place)}};
    }
    const auto& values = reading.axis.values;
    const auto n = static_cast<double>(values.size());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(place * n))].settings;
}

spec::Axis sampled(const std::vector<AxisReading>& axes, const Sample& sample)
{
    spec::Axis points{"point", {}, {}};
    points.values.resize(sample.points);
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const auto where = places(sample, a);
        for (std::size_t p = 0; p < sample.points; ++p) {
            const auto settings = drawn(axes[a], where[p]);
            auto& value = points.values[p];
            value.label = fmt::format("{}", p);
            value.settings.insert(value.settings.end(), settings.begin(), settings.end());
        }
    }
    return points;
}

std::vector<spec::Axis> as_written(Report& report, std::vector<AxisReading> axes)
{
    std::vector<spec::Axis> written;
    for (auto& reading : axes) {
        if (reading.continuous) {
            report.error(reading.mark, "axes." + reading.axis.name,
                         "is a range without step, factor or count",
                         "give one of them, or draw points with sample: { points: 100 }");
        }
        report.stands_at("axes." + reading.axis.name, reading.mark);
        written.push_back(std::move(reading.axis));
    }
    return written;
}

}  // namespace

std::vector<spec::Axis> read_sample(MapReader& reader, std::vector<AxisReading> axes)
{
    auto& report = reader.report();
    auto section = reader.optional_section("sample");
    if (!section.present()) {
        return as_written(report, std::move(axes));
    }
    Sample sample;
    sample.latin = section.defaulted(
        "method", choice<bool>({{"random", false}, {"latin-hypercube", true}}), "latin-hypercube");
    const auto points = section.required("points", count("100"));
    sample.seed = section.defaulted("seed", seed_number("1"), "0");
    section.finish();
    const auto* node = section.ask("points");
    const bool none = node != nullptr && node->text == "0";
    if (none || points > kMostSamples) {
        report.error(node == nullptr ? report.place_of("sample") : node->mark, "sample.points",
                     fmt::format("must be from 1 to {}", kMostSamples), "write points: 100");
    }
    for (const auto& reading : axes) {
        if (!reading.axis.when.empty()) {
            report.error(reading.mark, "axes." + reading.axis.name,
                         "cannot have a condition where points are drawn",
                         "leave what cannot be out by exclude");
        }
    }
    if (report.failed()) {
        return {};
    }
    sample.points = static_cast<std::size_t>(points);
    return {sampled(axes, sample)};
}

}  // namespace sim::config
