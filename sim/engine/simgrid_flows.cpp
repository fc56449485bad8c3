#include "engine/simgrid_flows.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include "core/contract.hpp"
#include "engine/engine.hpp"
#include "engine/simgrid_options.hpp"

namespace sim::engine
{

namespace s4u = simgrid::s4u;
using simgrid::kernel::resource::Action;
using simgrid::kernel::resource::Model;

struct Flow {
    s4u::CommPtr transfer;
    Action* action = nullptr;  ///< owned by SimGrid until the flow ends
    std::uint64_t owner = 0;
    bool cancelled = false;
};

namespace
{

/// Unlimited for every purpose, and still a number the max-min solver can subtract from.
constexpr double kAlmostUnlimited = 1e280;

/// A network of two hosts whose route is whatever was asked for last, link by link.
class ExplicitRouteZone final : public simgrid::kernel::routing::NetZoneImpl
{
public:
    explicit ExplicitRouteZone(const std::string& name) : NetZoneImpl{name} {}

    void get_local_route(const simgrid::kernel::routing::NetPoint* /*source*/,
                         const simgrid::kernel::routing::NetPoint* /*destination*/,
                         simgrid::kernel::routing::Route* into, double* /*latency*/) override
    {
        into->link_list_ = route;
    }

    std::vector<simgrid::kernel::resource::StandardLinkImpl*> route;
};

/// The log must be quiet before the options are read, so both go in as arguments.
std::unique_ptr<s4u::Engine> make_simgrid()
{
    SIM_EXPECT(!s4u::Engine::has_instance());
    std::vector<std::string> words{"weftsim", "--log=root.thresh:critical"};
    for (const std::string& option : simgrid_options()) {
        words.push_back("--cfg=" + option);
    }
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    int count = static_cast<int>(words.size());
    return std::make_unique<s4u::Engine>(&count, arguments.data());
}

Model* network_model(const s4u::Engine& engine)
{
    const auto& models = engine.get_all_models();
    const auto found = std::ranges::find(models, "Network_CM02", &Model::get_name);
    SIM_EXPECT(found != models.end());
    return *found;
}

}  // namespace

struct SimgridFlows::Machine {
    std::unique_ptr<s4u::Engine> engine = make_simgrid();
    ExplicitRouteZone* zone = new ExplicitRouteZone{"machine"};  // SimGrid deletes it
    s4u::Host* source = zone->create_host("source", {1.0});
    s4u::Host* destination = zone->create_host("destination", {1.0});
    Model* network = network_model(*engine);
    s4u::Link* free = zone->create_link("free", {kAlmostUnlimited})->seal();
    std::vector<s4u::Link*> links;
    std::vector<std::uint64_t> ended;   ///< owners, by the step under way
    std::vector<FlowHandle> cancelled;  ///< SimGrid still refers to them until its next step
    double precision = simgrid_precision(0);

    /// SimGrid's loop stops after each step while this set is not empty; without it, run_until
    /// would go on past the instants at which we start what follows.
    std::set<s4u::Activity*> stop_after_each_step{nullptr};

    void note_end(const s4u::Activity& activity)
    {
        const Flow* flow = activity.get_data<Flow>();
        if (!flow->cancelled && activity.get_state() == s4u::Activity::State::FINISHED) {
            ended.push_back(flow->owner);
        }
    }
};

/// SimGrid complains aloud of a transfer that is let go while it runs.
void FlowDeleter::operator()(Flow* flow) const
{
    if (flow->transfer->get_state() == s4u::Activity::State::STARTED) {
        flow->cancelled = true;
        flow->transfer->cancel();
    }
    delete flow;
}

SimgridFlows::SimgridFlows() : machine_{std::make_unique<Machine>()}
{
    machine_->engine->track_vetoed_activities(&machine_->stop_after_each_step);
    s4u::Activity::on_completion_cb(
        [machine = machine_.get()](const s4u::Activity& activity) { machine->note_end(activity); });
}

SimgridFlows::~SimgridFlows() = default;

std::uint32_t SimgridFlows::add_link()
{
    auto& links = machine_->links;
    auto* link = machine_->zone->create_link("link" + std::to_string(links.size()), {1.0});
    links.push_back(link->seal());
    return static_cast<std::uint32_t>(links.size() - 1);
}

void SimgridFlows::set_bandwidth(std::uint32_t link, double units_per_second)
{
    machine_->links[link]->set_bandwidth(std::min(units_per_second, kAlmostUnlimited));
}

FlowHandle SimgridFlows::start(std::uint64_t owner, const FlowRequest& request)
{
    auto& route = machine_->zone->route;
    route.clear();
    for (const auto& part : request.route) {
        route.insert(route.end(), part.times, machine_->links[part.link]->get_impl());
    }
    if (route.empty()) {
        route.push_back(machine_->free->get_impl());
    }
    FlowHandle flow{new Flow};
    flow->owner = owner;
    flow->transfer = s4u::Comm::sendto_init();
    flow->transfer->set_data(flow.get());
    flow->transfer->set_payload_size(1);
    // Which starts it: nothing is left to wait for.
    flow->transfer->set_source(machine_->source)->set_destination(machine_->destination);

    // A comm would round the amount to whole bytes, cap the rate for good at the least bandwidth
    // of its route at the start, and has no share: all three are set on its action.
    auto& started = *machine_->network->get_started_action_set();
    flow->action = &started.back();
    flow->action->set_cost(request.amount);
    flow->action->set_remains(request.amount);
    flow->action->set_bound(request.cap < kUnlimited ? request.cap : -1);
    flow->action->set_sharing_penalty(request.penalty);
    return flow;
}

void SimgridFlows::suspend(Flow& flow) { flow.action->suspend(); }

void SimgridFlows::resume(Flow& flow) { flow.action->resume(); }

void SimgridFlows::cancel(FlowHandle flow)
{
    flow->cancelled = true;
    // A cancelled action keeps its share of the links until the next step; a suspended one does
    // not.
    flow->action->suspend();
    flow->transfer->cancel();
    machine_->cancelled.push_back(std::move(flow));
}

double SimgridFlows::remaining(const Flow& flow) const { return flow.action->get_remains(); }

double SimgridFlows::now() const { return s4u::Engine::get_clock(); }

double SimgridFlows::next_end()
{
    if (!machine_->network->get_finished_action_set()->empty()) {
        return now();
    }
    const double wait = machine_->network->next_occurring_event(now());
    if (machine_->network->get_action_heap().empty()) {
        return kUnlimited;
    }
    return now() + std::max(0.0, wait);
}

void SimgridFlows::advance(double until, std::vector<std::uint64_t>& ended)
{
    const double target = std::max(now(), std::min(until, next_end()));
    // The clock reaches a date by adding the difference, so it may miss it by a unit of its last
    // place; a precision below that would leave a flow that has ended in the queue for ever.
    if (const double needed = simgrid_precision(target); needed > machine_->precision) {
        machine_->precision = needed;
        s4u::Engine::set_config("surf/precision", needed);
    }
    machine_->engine->run_until(target);
    ended.insert(ended.end(), machine_->ended.begin(), machine_->ended.end());
    machine_->ended.clear();
    machine_->cancelled.clear();
}

}  // namespace sim::engine
