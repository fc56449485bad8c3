#include "results/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/quantity_text.hpp"

namespace sim::results
{
namespace
{

constexpr double kSameStep = 0.0005;   ///< of the step: no change worth a word
constexpr double kNoticeable = 0.001;  ///< of the step: exposed time worth a word

std::string seconds(double time) { return to_text(Time::of(time)); }

double traffic(const PurposeSummary& purpose) { return purpose.exposed + purpose.hidden; }

/// One purpose before and after.
struct Change {
    PurposeSummary before;
    PurposeSummary after;

    [[nodiscard]] double exposed() const { return after.exposed - before.exposed; }
    /// How much it moved: hidden traffic that gets faster also frees the SMs it held.
    [[nodiscard]] double moved() const
    {
        return std::max(std::abs(exposed()), std::abs(traffic(after) - traffic(before)));
    }
};

PurposeSummary silence(const std::string& purpose)
{
    PurposeSummary none;
    none.purpose = purpose;
    return none;
}

std::vector<Change> changes(const Comparison& comparison)
{
    std::vector<Change> all;
    for (const auto& before : comparison.before.communication) {
        all.push_back({before, silence(before.purpose)});
    }
    for (const auto& after : comparison.after.communication) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Change& c) {
            return c.before.purpose == after.purpose;
        });
        if (found != all.end()) {
            found->after = after;
        } else {
            all.push_back({silence(after.purpose), after});
        }
    }
    return all;
}

/// Brings the change the sentence is about to the front.
void bring_main_forward(std::vector<Change>& all, double step)
{
    const auto moved_less = [](const Change& a, const Change& b) { return a.moved() < b.moved(); };
    const auto on_network = [](const Change& c) {
        return c.before.nic_bytes_sent > 0 ? traffic(c.before) : 0.0;
    };
    auto chosen = std::max_element(all.begin(), all.end(), moved_less);
    if (chosen->moved() < kNoticeable * step) {
        chosen = std::max_element(all.begin(), all.end(), [&](const Change& a, const Change& b) {
            return on_network(a) < on_network(b);
        });
    }
    std::iter_swap(all.begin(), chosen);
}

std::string effect(const Comparison& comparison)
{
    const double before = comparison.before.step.mean;
    const double after = comparison.after.step.mean;
    const double gain = (before - after) / before;
    const auto fixed = comparison.fixed.empty() ? "" : fmt::format(" ({})", comparison.fixed);
    if (std::abs(gain) < kSameStep) {
        return fmt::format("{}{} leaves the step of {} at {}", comparison.to, fixed,
                           comparison.from, seconds(before));
    }
    return fmt::format("{}{} {} the step by {:.1f} % against {} ({} to {})", comparison.to, fixed,
                       gain > 0 ? "shortens" : "lengthens", 100 * std::abs(gain), comparison.from,
                       seconds(before), seconds(after));
}

std::string hidden(const PurposeSummary& purpose, double step)
{
    if (purpose.exposed < kNoticeable * step) {
        return "all of it hidden";
    }
    if (purpose.hidden < kNoticeable * step) {
        return "none of it hidden";
    }
    return fmt::format("{} of it hidden", seconds(purpose.hidden));
}

std::string about(const Change& change, double step)
{
    const double before = traffic(change.before);
    const double after = traffic(change.after);
    auto text = fmt::format("{} of {} traffic", seconds(after), adjective(change.after.purpose));
    if (std::abs(after - before) > 0.01 * std::max(before, after)) {
        text += fmt::format(" instead of {}", seconds(before));
    }
    text += ", " + hidden(change.after, step);
    const bool both_all =
        change.before.exposed < kNoticeable * step && change.after.exposed < kNoticeable * step;
    if (!both_all && std::abs(change.exposed()) >= kNoticeable * step) {
        text += fmt::format(" (exposed {} instead of {})", seconds(change.after.exposed),
                            seconds(change.before.exposed));
    }
    return text;
}

std::string pace(const Change& change)
{
    const auto& before = change.before.binding;
    const auto& after = change.after.binding;
    if (after.empty()) {
        return "";
    }
    if (after == before || before.empty()) {
        return fmt::format("; its pace is still set by {}", after);
    }
    return fmt::format("; its pace is now set by {}, no longer by {}", after, before);
}

/// Why so little came of it, when little did.
std::string reason(const Comparison& comparison, const Change& change)
{
    const double step = comparison.before.step.mean;
    if (std::abs(step - comparison.after.step.mean) >= 0.01 * step) {
        return "";
    }
    const double before = traffic(change.before);
    if (change.before.exposed <= 0.1 * before) {
        return fmt::format(", and {} had hidden {:.0f} % of it already", comparison.from,
                           100 * change.before.hidden / before);
    }
    const bool same_speed = std::abs(traffic(change.after) - before) < 0.01 * before;
    return same_speed && change.before.binding == change.after.binding
               ? ", which this does not change"
               : "";
}

std::string others(const std::vector<Change>& all, double step)
{
    std::string text;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const double more = all[i].exposed();
        if (std::abs(more) >= kNoticeable * step) {
            text += fmt::format("; {} traffic exposes {} {}", adjective(all[i].after.purpose),
                                seconds(std::abs(more)), more > 0 ? "more" : "less");
        }
    }
    return text;
}

double compute(const Summary& summary)
{
    const auto entry = [&](replay::Entry e) { return summary.ledger[static_cast<std::size_t>(e)]; };
    return entry(replay::Entry::compute_math) + entry(replay::Entry::compute_memory);
}

/// Compute changes with the network because collectives hold SMs and share HBM while they run.
std::string beside(const Comparison& comparison)
{
    const double more = compute(comparison.after) - compute(comparison.before);
    if (std::abs(more) < kNoticeable * comparison.before.step.mean) {
        return "";
    }
    return fmt::format("; compute takes {} {} beside it", seconds(std::abs(more)),
                       more > 0 ? "more" : "less");
}

/// A bare number says little without its axis: "1" becomes "oversubscription 1".
std::string words_of(const spec::Axis& axis, const spec::AxisValue& value)
{
    const bool number = value.label.find_first_not_of("0123456789.") == std::string::npos;
    return number ? spec::last_part(axis.name) + " " + value.label : value.label;
}

}  // namespace

std::string sentence(const Comparison& comparison)
{
    const double step = comparison.before.step.mean;
    auto all = changes(comparison);
    if (all.empty()) {
        return effect(comparison) + ": its ranks do not communicate.";
    }
    bring_main_forward(all, step);
    const auto& main = all.front();
    if (traffic(main.before) + traffic(main.after) <= 0) {
        return effect(comparison) + ": communication takes no time.";
    }
    return effect(comparison) + ": " + about(main, step) + pace(main) + reason(comparison, main) +
           others(all, step) + beside(comparison) + ".";
}

std::vector<Comparison> comparisons(const ResultSet& set)
{
    std::vector<Comparison> all;
    if (set.axes.empty()) {
        return all;
    }
    const auto& first = set.axes.front().values;
    const std::size_t rest = set.points.size() / first.size();
    for (std::size_t i = rest; i < set.points.size(); ++i) {
        const auto& before = set.points[i % rest];
        const auto& after = set.points[i];
        if (before.status != Status::done || after.status != Status::done) {
            continue;
        }
        std::string fixed;
        std::size_t place = i % rest;
        for (std::size_t a = set.axes.size(); a-- > 1;) {
            const auto& values = set.axes[a].values;
            const auto words = words_of(set.axes[a], values[place % values.size()]);
            fixed = words + (fixed.empty() ? "" : ", ") + fixed;
            place /= values.size();
        }
        const auto& axis = set.axes.front();
        all.push_back({words_of(axis, first.front()), words_of(axis, first[i / rest]), fixed,
                       summarise(before), summarise(after)});
    }
    return all;
}

}  // namespace sim::results
