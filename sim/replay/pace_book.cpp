#include "replay/pace_book.hpp"

#include <algorithm>
#include <utility>

#include "engine/native_id.hpp"

namespace sim::replay
{

namespace
{

/// Seconds of a bin to begin with, when no step was simulated before the window.
constexpr double kFirstBin = 1e-6;

}  // namespace

PaceBook::PaceBook(const Instances& instances, std::size_t owners)
    : instances_{instances},
      lost_(owners, LostTimes{}),
      scratch_(instances.supplies.size()),
      levels_(kResourceKinds)
{
    for (const auto& supply : instances.supplies) {
        capacity_[static_cast<std::size_t>(supply.kind)] +=
            supply.capacity * static_cast<double>(supply.members);
    }
}

void PaceBook::started(engine::ActivityId activity, const engine::Activity& what, std::size_t owner,
                       double weight)
{
    const auto slot = engine::slot_of(activity.value);
    if (slot >= tracked_.size()) {
        tracked_.resize(slot + 1);
    }
    auto& tracked = tracked_[slot];
    tracked = {};
    tracked.owner = owner;
    tracked.weight = weight;
    tracked.alone = what.rate_cap;
    for (const auto& use : what.uses) {
        scratch_[use.resource.index()] += use.consumption;
    }
    for (const auto& use : what.uses) {
        const double consumption = std::exchange(scratch_[use.resource.index()], 0);
        if (consumption <= 0) {
            continue;
        }
        const auto& supply = instances_.supplies[use.resource.index()];
        const auto kind = static_cast<std::size_t>(supply.kind);
        tracked.alone = std::min(tracked.alone, supply.capacity / consumption);
        tracked.share_per_byte[kind] +=
            consumption * static_cast<double>(supply.members) / capacity_[kind];
    }
}

void PaceBook::settle(Tracked& tracked, double now)
{
    if (tracked.rate > 0 && tracked.bound && tracked.alone < engine::kUnlimited) {
        const double slower = std::max(0.0, 1 - tracked.rate / tracked.alone);
        lost_[tracked.owner][static_cast<std::size_t>(*tracked.bound)] +=
            tracked.weight * slower * (now - tracked.since);
    }
    tracked.since = now;
}

void PaceBook::advance(double now)
{
    if (open_) {
        bins_->add(now - now_, levels_);
    }
    now_ = now;
}

void PaceBook::paced(const engine::Pace& pace, Time at)
{
    const auto slot = engine::slot_of(pace.activity.value);
    if (slot >= tracked_.size()) {
        return;
    }
    auto& tracked = tracked_[slot];
    const double now = at.base();
    advance(now);
    settle(tracked, now);
    const double change = pace.rate - tracked.rate;
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
        if (tracked.share_per_byte[kind] > 0) {
            // Many small changes leave rounding behind.
            const auto level = levels_[kind] + change * tracked.share_per_byte[kind];
            levels_[kind] = level < 1e-12 ? 0 : level;
        }
    }
    tracked.rate = pace.rate;
    tracked.bound = pace.bottleneck
                        ? std::optional{instances_.supplies[pace.bottleneck->index()].kind}
                        : std::nullopt;
}

void PaceBook::open(Time at)
{
    const double now = at.base();
    for (auto& tracked : tracked_) {
        settle(tracked, now);
    }
    std::fill(lost_.begin(), lost_.end(), LostTimes{});
    const double first = now > 0 ? now / static_cast<double>(UsageBins::kBins) : kFirstBin;
    bins_.emplace(first, kResourceKinds);
    now_ = now;
    open_ = true;
}

void PaceBook::close(Time at)
{
    const double now = at.base();
    advance(now);
    for (auto& tracked : tracked_) {
        settle(tracked, now);
    }
    open_ = false;
}

}  // namespace sim::replay
