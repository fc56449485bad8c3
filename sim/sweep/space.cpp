#include "sweep/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/diagnostics.hpp"
#include "core/random.hpp"

namespace sim::sweep
{
namespace
{

std::uint64_t hash(std::uint64_t seed, const std::string& text)
{
    // FNV-1a, then mixed so that short texts differ everywhere.
    std::uint64_t word = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        word = (word ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return mix(seed, word);
}

/// What `work` gives; a mistake in it stands at `key`.
template <class Work>
auto at_key(const std::string& key, Work work)
{
    try {
        return work();
    } catch (const InputError& error) {
        auto found = error.diagnostics();
        for (auto& diagnostic : found) {
            diagnostic.key = key;
        }
        throw InputError{found};
    }
}

std::string number_text(double number, const std::string& unit)
{
    return unit.empty() ? fmt::format("{:.12g}", number) : fmt::format("{:.12g} {}", number, unit);
}

}  // namespace

Space::Space(const config::LoadedSweep& sweep)
    : spec_{sweep.spec}, names_{spec::variable_names(sweep.spec)}
{
    for (const auto& axis : spec_.axes) {
        auto& values = known_.emplace_back();
        for (const auto& value : axis.values) {
            values.push_back(known(axis, value, known_.size() - 1));
        }
        size_ *= axis.values.size();
        auto& when = when_.emplace_back();
        if (!axis.when.empty()) {
            when.emplace_back(axis.when, names_);
        }
    }
    for (const auto& from : spec_.include) {
        include_.push_back(rule(from));
    }
    for (const auto& from : spec_.exclude) {
        exclude_.push_back(rule(from));
    }
    for (const auto& derived : spec_.derived) {
        derived_.emplace_back(derived.expression, names_);
    }
    for (const auto& [path, text] : sweep.files) {
        files_[path] = hash(0, text);
    }
}

std::size_t Space::variable(const std::string& name) const
{
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

Space::Rule Space::rule(const spec::PointRule& from) const
{
    Rule rule;
    for (const auto& [name, labels] : from.labels) {
        rule.labels.emplace_back(variable(name), labels);
    }
    if (!from.expression.empty()) {
        rule.expression.emplace_back(from.expression, names_);
    }
    return rule;
}

std::vector<Space::Known> Space::known(const spec::Axis& axis, const spec::AxisValue& value,
                                       std::size_t number) const
{
    std::vector<Known> known;
    for (const auto& setting : value.settings) {
        known.push_back({variable(setting.key), &setting.text, config::number_of(setting.text)});
    }
    // Of an axis that is a key, what is set counts: its label may be shorter.
    if (value.settings.empty() || value.settings.front().key != axis.name) {
        known.push_back({number, &value.label, config::number_of(value.label)});
    }
    return known;
}

Space::Place Space::place(std::size_t point) const
{
    const auto& axes = spec_.axes;
    Place place{std::vector<std::size_t>(axes.size()), std::vector<bool>(axes.size(), true),
                std::vector<const std::string*>(names_.size()),
                std::vector<double>(names_.size(), std::nan(""))};
    for (auto a = axes.size(); a-- > 0;) {
        place.value[a] = point % axes[a].values.size();
        point /= axes[a].values.size();
    }
    for (std::size_t a = 0; a < axes.size(); ++a) {
        for (const auto& known : known_[a][place.value[a]]) {
            place.texts[known.variable] = known.text;
            place.numbers[known.variable] = known.number;
        }
    }
    for (std::size_t a = 0; a < axes.size(); ++a) {
        place.applies[a] = when_[a].empty() || at_key("axes." + axes[a].name, [&] {
                               return when_[a].front().value(place.numbers) != 0;
                           });
    }
    return place;
}

bool Space::matches(const Rule& rule, const Place& place)
{
    for (const auto& [variable, labels] : rule.labels) {
        const auto* text = place.texts[variable];
        if (text == nullptr || std::find(labels.begin(), labels.end(), *text) == labels.end()) {
            return false;
        }
    }
    return rule.expression.empty() || rule.expression.front().value(place.numbers) != 0;
}

bool Space::included(std::size_t point) const
{
    const auto place = this->place(point);
    for (std::size_t a = 0; a < place.value.size(); ++a) {
        if (!place.applies[a] && place.value[a] != 0) {
            return false;
        }
    }
    bool in = include_.empty();
    for (std::size_t r = 0; r < include_.size() && !in; ++r) {
        in = at_key(fmt::format("include.{}", r), [&] { return matches(include_[r], place); });
    }
    for (std::size_t r = 0; r < exclude_.size() && in; ++r) {
        in = !at_key(fmt::format("exclude.{}", r), [&] { return matches(exclude_[r], place); });
    }
    return in;
}

std::vector<config::Override> Space::settings(const Place& place) const
{
    std::vector<config::Override> settings;
    for (std::size_t a = 0; a < place.value.size(); ++a) {
        if (place.applies[a]) {
            for (const auto& [key, text] : spec_.axes[a].values[place.value[a]].settings) {
                settings.push_back({key, text});
            }
        }
    }
    for (std::size_t d = 0; d < derived_.size(); ++d) {
        const auto& from = spec_.derived[d];
        const double number =
            at_key("derive." + from.key, [&] { return derived_[d].value(place.numbers); });
        settings.push_back({from.key, number_text(number, from.unit)});
    }
    return settings;
}

std::vector<config::Override> Space::settings(std::size_t point) const
{
    return settings(place(point));
}

std::vector<std::string> Space::labels(std::size_t point) const
{
    const auto place = this->place(point);
    std::vector<std::string> labels;
    for (std::size_t a = 0; a < place.value.size(); ++a) {
        labels.push_back(place.applies[a] ? spec_.axes[a].values[place.value[a]].label : "-");
    }
    return labels;
}

std::uint64_t Space::id(std::size_t point) const
{
    auto settings = this->settings(point);
    // In whatever order the axes stand.
    std::sort(settings.begin(), settings.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    std::uint64_t id = 0;
    for (const auto& [key, text] : settings) {
        id = hash(hash(id, key), text);
        const auto file = files_.find(text);
        if (file != files_.end()) {
            id = mix(id, file->second);
        }
    }
    return id;
}

std::vector<std::size_t> plan(const Space& space, const config::LoadedSweep& sweep)
{
    return sweep.places.around([&] {
        std::vector<std::size_t> points;
        std::vector<std::pair<std::uint64_t, std::size_t>> ids;
        for (std::size_t p = 0; p < space.size(); ++p) {
            if (space.included(p)) {
                points.push_back(p);
                ids.emplace_back(space.id(p), p);
            }
        }
        if (points.empty()) {
            const auto& spec = sweep.spec;
            refuse(!spec.exclude.empty()   ? "exclude.0"
                   : !spec.include.empty() ? "include.0"
                                           : "axes",
                   "include, exclude and the axes' conditions leave no point",
                   "take a rule away, or let it hold for some point");
        }
        std::sort(ids.begin(), ids.end());
        const auto twice =
            std::adjacent_find(ids.begin(), ids.end(),
                               [](const auto& a, const auto& b) { return a.first == b.first; });
        if (twice != ids.end()) {
            refuse("axes",
                   fmt::format("two points set the same: ({}) and ({})",
                               fmt::join(space.labels(twice->second), ", "),
                               fmt::join(space.labels(std::next(twice)->second), ", ")),
                   "leave one out: a point is known by what it sets");
        }
        return points;
    });
}

}  // namespace sim::sweep
