#include "replay/live_routes.hpp"

#include <algorithm>
#include <utility>

#include "core/contract.hpp"

namespace sim::replay
{

namespace
{

/// Tokens of timers below this are numbers of epochs.
constexpr std::uint64_t kBalance = std::uint64_t{1} << 32U;

/// An activity with less left is about to end: engines end it too.
constexpr double kDone = 1e-12;

/// Loads are sums of fractions: what differs by less is equal.
constexpr double kRounding = 1e-9;

bool same(const std::vector<engine::Use>& a, const std::vector<engine::Use>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const engine::Use& x, const engine::Use& y) {
                          return x.resource == y.resource && x.consumption == y.consumption;
                      });
}

}  // namespace

LiveRoutes::LiveRoutes(const Machine& machine, engine::Engine& engine, Hooks hooks)
    : machine_{machine},
      engine_{engine},
      hooks_{std::move(hooks)},
      queue_pairs_{static_cast<double>(spec::queue_pairs(machine.cluster().fabric))},
      loads_(machine.fabric().graph.links().size(), 0)
{
}

void LiveRoutes::begin()
{
    for (std::size_t epoch = 0; epoch < machine_.epochs().size(); ++epoch) {
        engine_.set_timer(machine_.epochs()[epoch].at, epoch);
    }
}

/// The uses that routes do not change, then those of every route by the loads of this instant.
void LiveRoutes::place(Running& running)
{
    const auto& plan = *running.plan;
    const auto& flow = plan.flows[running.flow];
    const auto& router = epoch_ ? *epoch_ : machine_.router();
    const auto& links = machine_.fabric().graph.links();
    const auto first = plan.uses.begin() + flow.first_use;
    running.uses.assign(first, first + flow.uses);
    running.loads.clear();
    for (std::uint32_t i = 0; i < flow.routes; ++i) {
        const auto& asked = plan.routes[flow.first_route + i];
        for (const auto& hop : router.route(asked.from, asked.to, asked.label, loads_).hops) {
            running.uses.push_back({machine_.link(hop.link), hop.fraction * asked.consumption});
            const auto kind = links[hop.link.index()].kind;
            if (kind != fabric::LinkKind::nvlink && kind != fabric::LinkKind::pcie) {
                running.loads.push_back({hop.link, hop.fraction * queue_pairs_});
                loads_[hop.link.index()] += running.loads.back().queue_pairs;
            }
        }
    }
}

void LiveRoutes::lift(const Running& running)
{
    for (const auto& load : running.loads) {
        auto& left = loads_[load.link.index()];
        left = std::max(0.0, left - load.queue_pairs);
    }
}

void LiveRoutes::put_back(const Running& running)
{
    for (const auto& load : running.loads) {
        loads_[load.link.index()] += load.queue_pairs;
    }
}

double LiveRoutes::fullest(const Running& running) const
{
    double most = 0;
    for (const auto& load : running.loads) {
        const auto& link = machine_.fabric().graph.links()[load.link.index()];
        most = std::max(most, loads_[load.link.index()] / (link.bandwidth / Bandwidth::of(1)));
    }
    return most;
}

void LiveRoutes::launch(Running& running, std::uint64_t token)
{
    const auto& flow = running.plan->flows[running.flow];
    engine::Activity activity;
    activity.token = token;
    activity.amount = running.amount;
    activity.latency = std::max(Time{}, running.begins - engine_.now());
    activity.share = flow.share;
    activity.rate_cap = flow.rate_cap;
    activity.uses = running.uses;
    running.activity = hooks_.start(activity);
}

void LiveRoutes::start(const LoweredCollective& plan, std::uint32_t flow, std::uint64_t token)
{
    auto& running = running_[token];
    SIM_EXPECT(running.plan == nullptr);
    running.plan = &plan;
    running.flow = flow;
    running.amount = plan.flows[flow].amount;
    running.begins = engine_.now() + plan.flows[flow].latency;
    place(running);
    launch(running, token);
    balance_later();
}

void LiveRoutes::ended(std::uint64_t token)
{
    const auto found = running_.find(token);
    if (found != running_.end()) {  // a collective in which nothing moves has no flow
        lift(found->second);
        running_.erase(found);
    }
}

/// Only while something runs: a timer that sets itself for ever would hide that a job stands still.
void LiveRoutes::balance_later()
{
    const auto interval = machine_.cluster().fabric.rebalance;
    if (interval && !balancing_ && !running_.empty()) {
        engine_.set_timer(engine_.now() + *interval, kBalance);
        balancing_ = true;
    }
}

void LiveRoutes::timer(std::uint64_t token)
{
    const bool epoch_begins = token != kBalance;
    if (epoch_begins) {
        const auto& epoch = machine_.epochs()[token];
        epoch_.emplace(machine_.fabric(), machine_.cluster().fabric, machine_.seed(), epoch.dead);
    } else {
        balancing_ = false;
    }
    for (auto& [its_token, running] : running_) {
        move(running, its_token, epoch_begins);
    }
    balance_later();
}

void LiveRoutes::move(Running& running, std::uint64_t token, bool must)
{
    const double left = running.amount - engine_.moved(running.activity).value_or(running.amount);
    if (left <= kDone * running.amount && !(engine_.now() < running.begins)) {
        return;
    }
    const double full_before = fullest(running);
    lift(running);
    auto before = running;
    place(running);
    const bool better = fullest(running) < full_before * (1 - kRounding);
    if (same(before.uses, running.uses) || !(must || better)) {
        lift(running);
        running = std::move(before);
        put_back(running);
        return;
    }
    engine_.cancel(running.activity);
    hooks_.withdrawn(before.uses, left);
    running.amount = left;
    launch(running, token);
}

}  // namespace sim::replay
