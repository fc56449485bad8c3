#include "engine/simgrid_engine.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/contract.hpp"
#include "core/log.hpp"
#include "engine/seam_checks.hpp"
#include "engine/simgrid_agenda.hpp"
#include "engine/simgrid_flows.hpp"
#include "engine/simgrid_options.hpp"
#include "engine/simgrid_weights.hpp"

namespace sim::engine
{
namespace
{

/// A consumption that repetition misses by more than this is reported, once.
constexpr double kTellRounding = 1e-9;

class SimgridEngine final : public Engine
{
public:
    ResourceId add_resource(const Resource& resource) override;
    ActivityId start(const Activity& activity) override;
    void cancel(ActivityId activity) override;
    void reserve(ResourceId resource, double units) override;
    void release(ResourceId resource, double units) override;
    void set_timer(Time at, std::uint64_t token) override;
    [[nodiscard]] Time now() const override { return Time::of(now_); }
    void run(Listener& listener) override;
    [[nodiscard]] double served(ResourceId resource) const override;
    [[nodiscard]] std::optional<double> moved(ActivityId activity) const override;
    [[nodiscard]] double rounding() const override { return rounding_; }

private:
    struct State {
        std::string name;
        double scheduled;  ///< capacity, before reservations
        double reserved = 0;
        double usable = 0;
        double unit = 1;  ///< of the link, in units of the resource
        double served = 0;
    };
    struct Running {
        std::uint64_t token;
        double amount;
        double share;
        double cap;
        std::vector<Use> uses;
        WholeWeights weights;
        FlowHandle flow;            ///< none during the latency, and when nothing limits the rate
        std::size_t dead_uses = 0;  ///< of resources without capacity
    };

    [[nodiscard]] bool is_dead(const Use& use) const;
    [[nodiscard]] bool is_unlimited(const Running& activity) const;
    void set_link(ResourceId resource);
    void update_capacity(ResourceId resource);
    void set_dead(ResourceId resource, bool dead);
    void resume(const Running& activity);
    void begin(std::uint64_t id);
    void start_flow(std::uint64_t id, Running& activity);
    void charge(const Running& activity, double bytes);
    [[nodiscard]] double moved(std::uint64_t id, const Running& activity) const;
    void deliver(Listener& listener);
    void finish(std::uint64_t id, Listener& listener);
    void apply(const Agenda::Event& event, Listener& listener);
    void advance();
    [[noreturn]] void stall() const;

    SimgridFlows flows_;
    WeightScale scale_;
    Agenda agenda_;
    std::vector<State> resources_;
    std::map<std::uint64_t, Running> running_;
    std::set<std::uint64_t> ended_;         ///< at this instant, not yet told
    std::vector<std::uint64_t> ended_now_;  ///< reused between steps
    std::uint64_t next_id_ = 0;
    double now_ = 0;
    bool has_run_ = false;
    bool told_rounding_ = false;
    double rounding_ = 0;
};

ResourceId SimgridEngine::add_resource(const Resource& resource)
{
    check_resource(resource);
    SIM_EXPECT(!has_run_);  // SimGrid seals its platform
    const ResourceId id{flows_.add_link()};
    resources_.push_back({.name = resource.name, .scheduled = resource.capacity});
    scale_.add_resource();
    for (const CapacityChange& change : resource.schedule) {
        if (change.at.base() <= now_) {
            resources_.back().scheduled = change.capacity;
            continue;
        }
        agenda_.add(change.at.base(), Agenda::Capacity{id, change.capacity});
    }
    update_capacity(id);
    return id;
}

ActivityId SimgridEngine::start(const Activity& activity)
{
    check_activity(activity, [this](ResourceId resource) -> std::string_view {
        SIM_EXPECT(resource.index() < resources_.size());
        return resources_[resource.index()].name;
    });
    const std::uint64_t id = next_id_++;
    running_.emplace(id, Running{.token = activity.token,
                                 .amount = activity.amount,
                                 .share = activity.share,
                                 .cap = activity.rate_cap,
                                 .uses{activity.uses.begin(), activity.uses.end()},
                                 .weights{},
                                 .flow{}});
    if (activity.latency > Time{}) {
        agenda_.add(now_ + activity.latency.base(), Agenda::LatencyOver{id});
    } else {
        begin(id);
    }
    return ActivityId{id};
}

void SimgridEngine::cancel(ActivityId activity)
{
    const auto found = running_.find(activity.value);
    if (found == running_.end()) {
        return;
    }
    Running& running = found->second;
    charge(running, moved(activity.value, running));
    if (running.flow && !ended_.contains(activity.value)) {
        flows_.cancel(std::move(running.flow));
    }
    ended_.erase(activity.value);
    running_.erase(found);
}

void SimgridEngine::reserve(ResourceId resource, double units)
{
    SIM_EXPECT(resource.index() < resources_.size());
    State& state = resources_[resource.index()];
    check_reservation(state.name, units);
    state.reserved += units;
    update_capacity(resource);
}

void SimgridEngine::release(ResourceId resource, double units)
{
    SIM_EXPECT(resource.index() < resources_.size());
    State& state = resources_[resource.index()];
    check_reservation(state.name, units);
    state.reserved = std::max(0.0, state.reserved - units);
    update_capacity(resource);
}

void SimgridEngine::set_timer(Time at, std::uint64_t token)
{
    check_timer(at);
    agenda_.add(std::max(now_, at.base()), Agenda::Timer{token});
}

double SimgridEngine::served(ResourceId resource) const
{
    double units = resources_[resource.index()].served;
    for (const auto& [id, activity] : running_) {
        double consumption = 0;
        for (const Use& use : activity.uses) {
            consumption += use.resource == resource ? use.consumption : 0;
        }
        units += consumption > 0 ? consumption * moved(id, activity) : 0;
    }
    return units;
}

void SimgridEngine::run(Listener& listener)
{
    has_run_ = true;
    deliver(listener);
    while (!running_.empty() || agenda_.has_timers()) {
        advance();
        deliver(listener);
    }
}

/// To the next instant at which anything happens.
void SimgridEngine::advance()
{
    const double until = std::min(agenda_.next_time(), flows_.next_end());
    if (until == kUnlimited) {
        stall();
    }
    ended_now_.clear();
    flows_.advance(until, ended_now_);
    ended_.insert(ended_now_.begin(), ended_now_.end());
    now_ = std::max(now_, until);
}

/// Tells everything of this instant. What a call adds to the instant takes its place in the order.
void SimgridEngine::deliver(Listener& listener)
{
    for (;;) {
        if (agenda_.next_time() <= now_ + simgrid_precision(now_)) {
            const Agenda::Event event = agenda_.pop();
            now_ = std::max(now_, event.at);
            apply(event, listener);
        } else if (!ended_.empty()) {
            finish(*ended_.begin(), listener);
        } else {
            return;
        }
    }
}

void SimgridEngine::apply(const Agenda::Event& event, Listener& listener)
{
    if (const auto* change = std::get_if<Agenda::Capacity>(&event.what)) {
        resources_[change->resource.index()].scheduled = change->capacity;
        update_capacity(change->resource);
    } else if (const auto* over = std::get_if<Agenda::LatencyOver>(&event.what)) {
        if (running_.contains(over->activity)) {
            begin(over->activity);
        }
    } else {
        listener.timer(std::get<Agenda::Timer>(event.what).token);
    }
}

void SimgridEngine::finish(std::uint64_t id, Listener& listener)
{
    const auto found = running_.find(id);
    const std::uint64_t token = found->second.token;
    charge(found->second, found->second.amount);
    ended_.erase(id);
    running_.erase(found);
    listener.finished(token);
}

void SimgridEngine::charge(const Running& activity, double bytes)
{
    for (const Use& use : activity.uses) {
        resources_[use.resource.index()].served += use.consumption * bytes;
    }
}

std::optional<double> SimgridEngine::moved(ActivityId activity) const
{
    const auto found = running_.find(activity.value);
    return found == running_.end() ? std::nullopt
                                   : std::optional{moved(activity.value, found->second)};
}

double SimgridEngine::moved(std::uint64_t id, const Running& activity) const
{
    if (ended_.contains(id)) {
        return activity.amount;
    }
    if (!activity.flow) {
        return 0;
    }
    // A quotient of two numbers scaled alike: exactly 1 for a flow that has not moved.
    return activity.amount *
           (1 - flows_.remaining(*activity.flow) / (activity.amount * activity.weights.scale));
}

void SimgridEngine::stall() const
{
    std::set<ResourceId> dead;
    for (const auto& [id, activity] : running_) {
        for (const Use& use : activity.uses) {
            if (is_dead(use)) {
                dead.insert(use.resource);
            }
        }
    }
    std::vector<std::string> names;
    for (const ResourceId resource : dead) {
        names.push_back(resources_[resource.index()].name);
    }
    throw Stalled(stalled_words(now(), running_.size(), names));
}

bool SimgridEngine::is_dead(const Use& use) const
{
    return use.consumption > 0 && resources_[use.resource.index()].usable == 0;
}

bool SimgridEngine::is_unlimited(const Running& activity) const
{
    return activity.cap == kUnlimited && std::ranges::all_of(activity.uses, [this](const Use& use) {
               return use.consumption == 0 || resources_[use.resource.index()].usable == kUnlimited;
           });
}

/// SimGrid leaves a link of bandwidth 0 out of the sharing, so its flows would move on what the
/// rest of their route gives them: such flows are suspended, and the bandwidth left as it was.
void SimgridEngine::set_link(ResourceId resource)
{
    const State& state = resources_[resource.index()];
    if (state.usable > 0) {
        flows_.set_bandwidth(resource.index(), state.usable / state.unit);
    }
}

void SimgridEngine::update_capacity(ResourceId resource)
{
    State& state = resources_[resource.index()];
    const double before =
        std::exchange(state.usable, usable_capacity(state.scheduled, state.reserved));
    set_link(resource);
    if ((before == 0) != (state.usable == 0)) {
        set_dead(resource, state.usable == 0);
    }
}

void SimgridEngine::set_dead(ResourceId resource, bool dead)
{
    for (auto& [id, activity] : running_) {
        if (!activity.flow || ended_.contains(id)) {
            continue;
        }
        const auto uses = static_cast<std::size_t>(
            std::ranges::count_if(activity.uses, [resource](const Use& use) {
                return use.resource == resource && use.consumption > 0;
            }));
        const bool was_dead = activity.dead_uses > 0;
        activity.dead_uses = dead ? activity.dead_uses + uses : activity.dead_uses - uses;
        if (was_dead && activity.dead_uses == 0) {
            resume(activity);
        } else if (!was_dead && activity.dead_uses > 0) {
            flows_.suspend(*activity.flow);
        }
    }
}

/// SimGrid marks what it must share anew from the first link of the resumed flow only, and not at
/// all when that link is marked already: the other links' flows would keep rates that no longer
/// fit (simgrid.md). Setting each link's bandwidth, even to the same value, marks it.
void SimgridEngine::resume(const Running& activity)
{
    flows_.resume(*activity.flow);
    for (const auto& part : activity.weights.parts) {
        set_link(part.resource);
    }
}

/// The latency is over: what takes no time ends now, the rest starts to move.
void SimgridEngine::begin(std::uint64_t id)
{
    Running& activity = running_.at(id);
    if (activity.amount == 0 || is_unlimited(activity)) {
        ended_.insert(id);
        return;
    }
    start_flow(id, activity);
}

void SimgridEngine::start_flow(std::uint64_t id, Running& activity)
{
    activity.weights = scale_.whole(activity.uses);
    const WholeWeights& weights = activity.weights;
    rounding_ = std::max(rounding_, weights.error);
    if (weights.error > kTellRounding && !std::exchange(told_rounding_, true)) {
        Log{"engine"}.warning(fmt::format(
            "simgrid rounds consumptions to whole numbers, here by {:.1e}; see simgrid.md",
            weights.error));
    }
    std::vector<FlowRequest::Part> route;
    for (const auto& part : weights.parts) {
        State& state = resources_[part.resource.index()];
        if (const double unit = scale_.unit(part.resource); unit != state.unit) {
            state.unit = unit;
            set_link(part.resource);
        }
        route.push_back({part.resource.index(), part.times});
    }
    activity.flow = flows_.start(id, {.route = route,
                                      .amount = activity.amount * weights.scale,
                                      .penalty = 1 / (activity.share * weights.scale),
                                      .cap = activity.cap * weights.scale});
    activity.dead_uses = static_cast<std::size_t>(
        std::ranges::count_if(activity.uses, [this](const Use& use) { return is_dead(use); }));
    if (activity.dead_uses > 0) {
        flows_.suspend(*activity.flow);
    }
}

}  // namespace

std::unique_ptr<Engine> make_simgrid_engine() { return std::make_unique<SimgridEngine>(); }

}  // namespace sim::engine
