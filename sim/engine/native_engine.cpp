#include "engine/native_engine.hpp"

#include <algorithm>
#include <string_view>

#include "core/contract.hpp"
#include "engine/native_id.hpp"
#include "engine/seam_checks.hpp"

namespace sim::engine
{

namespace
{

/// Instants this close, relative to the clock, are one: some fifty times the clock's resolution, so
/// that times which only rounding tells apart stay a batch, and 100 times less than 1 ns at 1000 s.
constexpr double kSameInstant = 1e-14;
constexpr double kDone = 1e-12;  ///< of its amount left: an activity is done

}  // namespace

bool NativeEngine::Change::operator<(const Change& other) const
{
    return at != other.at ? at > other.at : sequence > other.sequence;
}

bool NativeEngine::Timer::operator<(const Timer& other) const
{
    return at != other.at ? at > other.at : sequence > other.sequence;
}

ResourceId NativeEngine::add_resource(const Resource& resource)
{
    check_resource(resource);
    const auto index = max_min_.add_resource(resource.capacity);
    supplies_.push_back({resource.name, resource.capacity});
    for (const auto& change : resource.schedule) {
        changes_.push_back({change.at.base(), sequence_++, index, change.capacity});
        std::push_heap(changes_.begin(), changes_.end());
    }
    return ResourceId{index};
}

std::uint32_t NativeEngine::take_slot()
{
    if (!free_slots_.empty()) {
        const auto slot = free_slots_.back();
        free_slots_.pop_back();
        return slot;
    }
    SIM_EXPECT(running_.size() < kMaxSlots);
    running_.emplace_back();
    return static_cast<std::uint32_t>(running_.size() - 1);
}

void NativeEngine::free_slot(std::uint32_t slot, double moved)
{
    if (telling_) {
        tell_pace(slot, 0);
    }
    max_min_.remove(slot, moved);
    running_[slot].state = State::free;
    free_slots_.push_back(slot);
    --alive_;
}

ActivityId NativeEngine::start(const Activity& activity)
{
    check_activity(activity, [this](ResourceId resource) -> std::string_view {
        SIM_EXPECT(resource.index() < supplies_.size());
        return supplies_[resource.index()].name;
    });
    SIM_EXPECT(sequence_ < kMaxSequence);
    const auto slot = take_slot();
    ++alive_;
    auto& running = running_[slot];
    running = {.handle = make_handle(sequence_++, slot),
               .token = activity.token,
               .amount = activity.amount,
               .left = activity.amount,
               .since = now_,
               .state = State::latent};
    max_min_.define(slot, {activity.uses, activity.share, activity.rate_cap});
    if (activity.latency > Time{}) {
        events_.set(slot, now_ + activity.latency.base());
    } else if (activity.amount == 0) {
        become_due(slot);
    } else {
        begin(slot);
    }
    return {running.handle};
}

void NativeEngine::begin(std::uint32_t slot)
{
    running_[slot].state = State::moving;
    running_[slot].since = now_;
    max_min_.attach(slot);
    // Due at once, in its place among the others of this instant; a solve would tell it after them.
    if (max_min_.is_unlimited(slot)) {
        become_due(slot);
    }
}

const NativeEngine::Running* NativeEngine::find(ActivityId activity) const
{
    const auto slot = slot_of(activity.value);
    if (slot >= running_.size() || running_[slot].state == State::free ||
        running_[slot].handle != activity.value) {
        return nullptr;
    }
    return &running_[slot];
}

double NativeEngine::left_now(const Running& running) const
{
    if (running.state != State::moving || running.rate == 0) {
        return running.left;
    }
    return std::max(0.0, running.left - running.rate * (now_ - running.since));
}

void NativeEngine::cancel(ActivityId activity)
{
    const auto* running = find(activity);
    if (running == nullptr) {
        return;
    }
    events_.erase(slot_of(activity.value));
    free_slot(slot_of(activity.value), running->amount - left_now(*running));
}

void NativeEngine::update_capacity(std::uint32_t resource)
{
    const auto& supply = supplies_[resource];
    max_min_.set_capacity(resource, usable_capacity(supply.scheduled, supply.reserved));
}

void NativeEngine::reserve(ResourceId resource, double units)
{
    auto& supply = supplies_[resource.index()];
    check_reservation(supply.name, units);
    supply.reserved += units;
    update_capacity(resource.index());
}

void NativeEngine::release(ResourceId resource, double units)
{
    auto& supply = supplies_[resource.index()];
    check_reservation(supply.name, units);
    supply.reserved = std::max(0.0, supply.reserved - units);
    update_capacity(resource.index());
}

void NativeEngine::set_timer(Time at, std::uint64_t token)
{
    check_timer(at);
    timers_.push_back({std::max(at.base(), now_), sequence_++, token});
    std::push_heap(timers_.begin(), timers_.end());
}

double NativeEngine::served(ResourceId resource) const
{
    double units = max_min_.booked(resource.index());
    for (const auto& claim : max_min_.claims(resource.index())) {
        const auto& running = running_[claim.slot];
        units += claim.weight / max_min_.share(claim.slot) * (running.amount - left_now(running));
    }
    return units;
}

void NativeEngine::become_due(std::uint32_t slot)
{
    running_[slot].state = State::due;
    running_[slot].left = 0;
    due_.push_back(running_[slot].handle);
}

void NativeEngine::collect_changes()
{
    while (!changes_.empty() && changes_.front().at <= horizon_) {
        const auto change = changes_.front();
        std::pop_heap(changes_.begin(), changes_.end());
        changes_.pop_back();
        supplies_[change.resource].scheduled = change.capacity;
        update_capacity(change.resource);
    }
}

void NativeEngine::collect_events()
{
    while (!events_.empty() && events_.next() <= horizon_) {
        const auto slot = events_.pop();
        auto& running = running_[slot];
        if (running.state == State::moving || running.amount == 0) {
            become_due(slot);
        } else {
            begin(slot);
        }
    }
    if (!std::is_sorted(due_.begin(), due_.end())) {
        std::sort(due_.begin(), due_.end());
    }
}

bool NativeEngine::timer_is_due() const
{
    return !timers_.empty() && timers_.front().at <= horizon_;
}

void NativeEngine::count_call()
{
    if (++calls_ > options_.calls_per_instant) {
        throw Stalled(
            "time does not advance: activities or timers that take no time start each "
            "other for ever");
    }
}

/// Everything due, timers before finishes. What the listener starts has a higher handle than what
/// is due already, so `due_` stays in order.
void NativeEngine::call_back(Listener& listener)
{
    for (;;) {
        if (timer_is_due()) {
            const auto token = timers_.front().token;
            std::pop_heap(timers_.begin(), timers_.end());
            timers_.pop_back();
            count_call();
            listener.timer(token);
        } else if (due_next_ < due_.size()) {
            const ActivityId activity{due_[due_next_++]};
            const auto* running = find(activity);
            if (running == nullptr) {
                continue;  // cancelled meanwhile
            }
            const auto token = running->token;
            free_slot(slot_of(activity.value), running->amount);
            count_call();
            listener.finished(token);
        } else {
            break;
        }
    }
    due_.clear();
    due_next_ = 0;
}

void NativeEngine::update_rate(std::uint32_t slot)
{
    auto& running = running_[slot];
    running.left = left_now(running);
    running.since = now_;
    running.rate = max_min_.rate(slot);
    if (telling_) {
        tell_pace(slot, running.rate);
    }
    if (running.left <= kDone * running.amount || running.rate == kUnlimited) {
        events_.erase(slot);
        become_due(slot);
    } else if (running.rate == 0) {
        events_.erase(slot);
    } else {
        events_.set(slot, now_ + running.left / running.rate);
    }
}

void NativeEngine::update_rates()
{
    const auto changed = max_min_.solve();
    for (const auto slot : changed) {
        update_rate(slot);
    }
    if (audit_) {
        check_loads(changed);
    }
}

bool NativeEngine::advance()
{
    if (alive_ == 0 && timers_.empty()) {
        return false;
    }
    double next = kUnlimited;
    if (!events_.empty()) {
        next = events_.next();
    }
    if (!timers_.empty()) {
        next = std::min(next, timers_.front().at);
    }
    if (!changes_.empty()) {
        next = std::min(next, changes_.front().at);
    }
    if (next == kUnlimited) {
        report_stall();
    }
    if (next > now_) {
        calls_ = 0;
    }
    now_ = std::max(now_, next);
    horizon_ = now_ * (1 + kSameInstant);
    return true;
}

void NativeEngine::run(Listener& listener)
{
    listener_ = &listener;
    do {
        do {
            collect_changes();
            collect_events();
            call_back(listener);
            update_rates();
        } while (!due_.empty() || timer_is_due());
    } while (advance());
}

std::unique_ptr<Engine> make_native_engine() { return std::make_unique<NativeEngine>(); }

}  // namespace sim::engine
