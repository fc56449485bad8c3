#include "results/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/quantity_text.hpp"

namespace sim::results
{
namespace
{

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoticeable = 1e-3;  ///< of the step
constexpr std::size_t kMostWords = 4;
const std::string kAt = " at ";

/// A number of a file by its name.
struct Named {
    std::string name;
    std::string units;
    double value;
};

/// What is compared: group, variable and how its rows begin.
struct Source {
    const char* group;
    const char* variable;
    const char* prefix;
};
constexpr Source kSources[] = {
    {"summary", "step_time", "step_time"},
    {"summary", "tokens_per_second_per_gpu", "tokens_per_second_per_gpu"},
    {"summary", "mfu", "mfu"},
    {"summary", "hfu", "hfu"},
    {"ledger", "time", "ledger"},
    {"communication", "exposed", "exposed"},
    {"communication", "hidden", "hidden"},
    {"resources", "mean_utilisation", "mean use"},
    {"memory", "bytes", "memory"},
    {"elasticity", "slope", "elasticity"}};

/// " compute_math at nic 400G, routing even": the labels of a place in an array.
std::string labels_at(const Group& group, const Variable& variable, std::size_t place,
                      const std::string& inner)
{
    std::string axes;
    std::string part;
    for (std::size_t d = variable.dimensions.size(); d-- > 0;) {
        const auto& dimension = variable.dimensions[d];
        const auto* words =
            std::get_if<std::vector<std::string>>(&group.variable(dimension).values);
        const auto length = group.length(dimension);
        const auto label = words != nullptr ? (*words)[place % length] : "";
        place /= length;
        if (dimension == inner) {
            part = " " + label;
        } else {
            const auto name = dimension.substr(dimension.rfind('.') + 1);
            axes = fmt::format("{} {}{}{}", name, label, axes.empty() ? "" : ", ", axes);
        }
    }
    return part + (axes.empty() ? "" : kAt + axes);
}

/// The dimension that is no axis of a sweep; empty when there is none.
std::string inner_of(const Variable& variable)
{
    static const std::vector<std::string> kInner{"entry", "purpose", "resource", "content"};
    for (const auto& dimension : variable.dimensions) {
        if (std::find(kInner.begin(), kInner.end(), dimension) != kInner.end()) {
            return dimension;
        }
    }
    return {};
}

double number_at(const Variable& variable, std::size_t place)
{
    if (const auto* real = std::get_if<std::vector<double>>(&variable.values)) {
        return (*real)[place];
    }
    const auto* whole = std::get_if<std::vector<std::int64_t>>(&variable.values);
    return whole != nullptr ? static_cast<double>((*whole)[place]) : kAbsent;
}

std::vector<Named> numbers_of(const Document& document)
{
    std::vector<Named> found;
    for (const auto& source : kSources) {
        const auto* group = document.group(source.group);
        const auto* variable = group == nullptr ? nullptr : group->find(source.variable);
        if (variable == nullptr) {
            continue;
        }
        const auto inner = inner_of(*variable);
        for (std::size_t place = 0; place < size(variable->values); ++place) {
            found.push_back({source.prefix + labels_at(*group, *variable, place, inner),
                             variable->units, number_at(*variable, place)});
        }
    }
    return found;
}

bool says_something(const Compared& row)
{
    return std::any_of(row.values.begin(), row.values.end(),
                       [](double value) { return !std::isnan(value) && value != 0; });
}

}  // namespace

std::string Compared::number() const { return name.substr(0, name.find(kAt)); }

std::string Compared::point() const
{
    const auto at = name.find(kAt);
    return at == std::string::npos ? "" : name.substr(at + kAt.size());
}

bool Compared::is_same() const
{
    return std::all_of(values.begin(), values.end(), [&](double value) {
        return value == values[0] || (std::isnan(value) && std::isnan(values[0]));
    });
}

double Compared::change(std::size_t file) const
{
    return values[0] == 0 ? kAbsent : (values[file] - values[0]) / std::abs(values[0]);
}

std::vector<Compared> compare(const std::vector<Document>& documents)
{
    std::vector<Compared> rows;
    std::map<std::string, std::size_t> place;
    for (std::size_t file = 0; file < documents.size(); ++file) {
        for (const auto& number : numbers_of(documents[file])) {
            const auto [at, is_new] = place.emplace(number.name, rows.size());
            if (is_new) {
                rows.push_back(
                    {number.name, number.units, std::vector<double>(documents.size(), kAbsent)});
            }
            rows[at->second].values[file] = number.value;
        }
    }
    rows.erase(std::remove_if(rows.begin(), rows.end(),
                              [](const Compared& row) { return !says_something(row); }),
               rows.end());
    return rows;
}

std::string what_moved(const std::vector<Compared>& rows)
{
    const auto step = std::find_if(rows.begin(), rows.end(), [](const Compared& row) {
        return row.name == "step_time" && !std::isnan(row.values[0]) && !std::isnan(row.values[1]);
    });
    if (step == rows.end()) {
        return "";
    }
    if (step->is_same()) {
        return fmt::format("The step is the same: {}.", to_text(Time::of(step->values[0])));
    }
    std::vector<std::pair<std::string, double>> moved;
    for (const auto& row : rows) {
        // An entry that one of the files does not know took no time there.
        const auto of = [&](std::size_t file) {
            return std::isnan(row.values[file]) ? 0.0 : row.values[file];
        };
        const double by = of(1) - of(0);
        const bool counts = std::abs(by) >= kNoticeable * step->values[0];
        if (counts && row.name.rfind("ledger ", 0) == 0) {
            moved.emplace_back(row.name.substr(7), by);
        }
    }
    std::stable_sort(moved.begin(), moved.end(), [](const auto& a, const auto& b) {
        return std::abs(a.second) > std::abs(b.second);
    });
    moved.resize(std::min(moved.size(), kMostWords));
    const auto seconds = [](double s) { return to_text(Time::of(s)); };
    auto text = fmt::format("The step goes from {} to {} ({:+.1f} %)", seconds(step->values[0]),
                            seconds(step->values[1]), 100 * step->change(1));
    for (std::size_t i = 0; i < moved.size(); ++i) {
        auto name = moved[i].first;
        std::replace(name.begin(), name.end(), '_', ' ');
        text +=
            fmt::format("{} {} takes {} {}", i == 0 ? ":" : ",", name,
                        seconds(std::abs(moved[i].second)), moved[i].second > 0 ? "more" : "less");
    }
    return text + ".";
}

}  // namespace sim::results
