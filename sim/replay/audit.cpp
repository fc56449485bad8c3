#include "replay/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/contract.hpp"

namespace sim::replay
{

namespace
{

/// Relative, of sums of doubles that were added in another order. SimGrid's flows overshoot by
/// its own precision, 1e-12 a step.
constexpr double kRounding = 1e-9;

/// One unit in 1e14 of the clock is one instant for both engines (sim/engine).
constexpr double kInstant = 1e-13;

[[noreturn]] void violated(const std::string& what) { throw ContractViolation{"audit: " + what}; }

}  // namespace

double most_served(double capacity, const std::vector<engine::CapacityChange>& schedule, Time from,
                   Time to)
{
    double units = 0;
    for (const auto& change : schedule) {
        if (change.at > from) {
            const auto until = std::min(change.at, to);
            units += until > from ? capacity * (until - from).base() : 0;
            from = std::max(from, until);
        }
        capacity = change.capacity;
    }
    return to > from ? units + capacity * (to - from).base() : units;
}

Audit::Audit(Audited audited, engine::Engine& engine)
    : audited_{std::move(audited)},
      engine_{engine},
      owed_(audited_.resources.size()),
      served_(audited_.resources.size())
{
    engine_.set_audit(true);
}

double Audit::tolerance() const { return kRounding + engine_.rounding(); }

void Audit::started(const engine::Activity& activity)
{
    for (const auto& use : activity.uses) {
        owed_[use.resource.index()] += activity.amount * use.consumption;
    }
}

void Audit::withdrawn(std::span<const engine::Use> uses, double amount)
{
    for (const auto& use : uses) {
        owed_[use.resource.index()] -= amount * use.consumption;
    }
}

void Audit::ended(const Spell& spell) const
{
    const auto took = (spell.to - spell.from).base();
    const auto least = spell.least.base();
    if (took < least * (1 - tolerance()) - spell.to.base() * kInstant) {
        violated(fmt::format("at {} s \"{}\" of {} {} ended after {} s; it takes {} s at least",
                             spell.to.base(), spell.label, spell.owner, spell.number, took, least));
    }
}

void Audit::checkpoint()
{
    const auto now = engine_.now();
    for (std::size_t i = 0; i < served_.size(); ++i) {
        const auto& resource = audited_.resources[i];
        const auto served = engine_.served(ResourceId{i});
        const auto units = served - std::exchange(served_[i], served);
        const auto most = most_served(resource.capacity, resource.schedule, checked_, now);
        if (units > most + tolerance() * served) {
            violated(fmt::format(
                "from {} s to {} s resource \"{}\" served {} units; its capacity allows {}",
                checked_.base(), now.base(), audited_.name(ResourceId{i}), units, most));
        }
    }
    checked_ = now;
}

void Audit::drained() const
{
    for (std::size_t i = 0; i < owed_.size(); ++i) {
        const auto served = engine_.served(ResourceId{i});
        if (!(std::abs(served - owed_[i]) <= kRounding * owed_[i])) {
            violated(fmt::format(
                "at {} s resource \"{}\" has served {} units; the tasks that used it asked for {}",
                engine_.now().base(), audited_.name(ResourceId{i}), served, owed_[i]));
        }
    }
}

void expect_sum(std::size_t rank, const std::array<Time, kEntries>& entries, Time step)
{
    const auto sum = std::accumulate(entries.begin(), entries.end(), Time{});
    if (!(std::abs((sum - step).base()) <= kRounding * step.base())) {
        violated(fmt::format("the ledger of rank {} sums to {} s; the step takes {} s", rank,
                             sum.base(), step.base()));
    }
}

}  // namespace sim::replay
