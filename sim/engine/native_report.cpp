#include <fmt/format.h>

#include "core/contract.hpp"
#include "engine/native_engine.hpp"
#include "engine/native_id.hpp"
#include "engine/seam_checks.hpp"

namespace sim::engine
{

std::optional<double> NativeEngine::rate(ActivityId activity) const
{
    const auto* running = find(activity);
    return running != nullptr && running->state == State::moving ? running->rate : 0.0;
}

std::optional<double> NativeEngine::moved(ActivityId activity) const
{
    const auto* running = find(activity);
    return running == nullptr ? std::nullopt : std::optional{running->amount - left_now(*running)};
}

std::optional<double> NativeEngine::load(ResourceId resource) const
{
    double load = 0;
    for (const auto& claim : max_min_.claims(resource.index())) {
        load += claim.weight / max_min_.share(claim.slot) * running_[claim.slot].rate;
    }
    return load;
}

std::optional<ResourceId> NativeEngine::bottleneck(ActivityId activity) const
{
    const auto* running = find(activity);
    if (running == nullptr || running->state != State::moving) {
        return std::nullopt;
    }
    const auto resource = max_min_.bottleneck(slot_of(activity.value));
    return resource ? std::optional{ResourceId{*resource}} : std::nullopt;
}

void NativeEngine::tell_pace(std::uint32_t slot, double rate)
{
    if (listener_ == nullptr) {
        return;
    }
    const auto& running = running_[slot];
    const auto bottleneck = rate > 0 ? max_min_.bottleneck(slot) : std::nullopt;
    listener_->paced({{running.handle},
                      running.token,
                      rate,
                      bottleneck ? std::optional{ResourceId{*bottleneck}} : std::nullopt});
}

NativeEngine::Footprint NativeEngine::footprint() const
{
    return {running_.size(), events_.size(), max_min_.arena_size()};
}

std::string NativeEngine::check_optimality() const
{
    std::vector<MaxMin::Slot> moving;
    for (std::uint32_t slot = 0; slot < running_.size(); ++slot) {
        if (running_[slot].state == State::moving) {
            moving.push_back(slot);
        }
    }
    if (const auto resource = max_min_.overloaded(moving)) {
        return fmt::format("resource \"{}\" carries {} of {}", supplies_[*resource].name,
                           max_min_.load(*resource), max_min_.capacity(*resource));
    }
    if (const auto slot = max_min_.unfair()) {
        return fmt::format("activity {} at {} bytes/s could gain without a loss to a slower one",
                           running_[*slot].token, running_[*slot].rate);
    }
    return {};
}

void NativeEngine::check_loads(std::span<const MaxMin::Slot> changed) const
{
    const auto resource = max_min_.overloaded(changed);
    if (!resource) {
        return;
    }
    std::string tokens;
    for (const auto& claim : max_min_.claims(*resource)) {
        tokens += fmt::format(" {}", running_[claim.slot].token);
    }
    throw ContractViolation(fmt::format(
        "audit: at {} s resource \"{}\" carries {} of {} units/s; activities:{}", now_,
        supplies_[*resource].name, max_min_.load(*resource), max_min_.capacity(*resource), tokens));
}

void NativeEngine::report_stall() const
{
    std::vector<std::string> dead;
    for (std::uint32_t resource = 0; resource < supplies_.size(); ++resource) {
        const auto waiting = max_min_.claims(resource).size();
        if (waiting > 0 && max_min_.capacity(resource) == 0) {
            dead.push_back(supplies_[resource].name);
        }
    }
    throw Stalled(stalled_words(now(), alive_, dead));
}

}  // namespace sim::engine
