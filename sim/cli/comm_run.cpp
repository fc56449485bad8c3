#include "cli/comm_run.hpp"

#include "replay/flow_lowering.hpp"

namespace sim::cli
{

namespace
{

// A token is the number of a collective and that of a flow in its phase.
constexpr unsigned kFlowShift = 32;
constexpr std::uint64_t kWhich = (std::uint64_t{1} << kFlowShift) - 1;

}  // namespace

std::vector<Time> CommRun::times(std::span<const collective::Schedule> schedules)
{
    progress_.clear();
    const auto begun = engine_.now();
    for (const auto& schedule : schedules) {
        auto& progress = progress_.emplace_back();
        progress.schedule = &schedule;
        progress.end = begun;
    }
    if (machine_.routes_change() && !live_routes_) {
        live_routes_.emplace(
            machine_, engine_,
            replay::LiveRoutes::Hooks{
                [this](const engine::Activity& activity) { return engine_.start(activity); },
                [](std::span<const engine::Use>, double) {}});
        live_routes_->begin();
    }
    for (std::size_t which = 0; which < progress_.size(); ++which) {
        start_phase(which);
    }
    engine_.run(*this);
    std::vector<Time> times;
    for (const auto& progress : progress_) {
        times.push_back(progress.end - begun);
    }
    return times;
}

void CommRun::start_phase(std::size_t which)
{
    auto& progress = progress_[which];
    const auto& schedule = *progress.schedule;
    if (progress.phase == schedule.phases.size()) {
        progress.end = engine_.now();
        return;
    }
    const bool pays = progress.phase == 0 && !schedule.includes_launch;
    const auto launch = pays ? machine_.cluster().collective.launch : Time{};
    const auto& flows = schedule.phases[progress.phase].flows;
    progress.flows_left = flows.size();
    auto& lowered = progress.phase_flows;
    lowered = {};
    for (const auto& flow : flows) {
        replay::append_flow(lowered, flow, machine_);
        lowered.flows.back().latency += launch;
    }
    for (std::size_t i = 0; i < lowered.flows.size(); ++i) {
        const auto& flow = lowered.flows[i];
        const auto token = which | (std::uint64_t{i} << kFlowShift);
        if (live_routes_) {
            live_routes_->start(lowered, static_cast<std::uint32_t>(i), token);
        } else {
            engine_.start({flow.amount,
                           flow.latency,
                           {lowered.uses.data() + flow.first_use, flow.uses},
                           flow.share,
                           flow.rate_cap,
                           token});
        }
    }
}

void CommRun::timer(std::uint64_t token)
{
    if (live_routes_) {
        live_routes_->timer(token);
    }
}

void CommRun::finished(std::uint64_t token)
{
    if (live_routes_) {
        live_routes_->ended(token);
    }
    const auto which = static_cast<std::size_t>(token & kWhich);
    auto& progress = progress_[which];
    if (--progress.flows_left == 0) {
        ++progress.phase;
        start_phase(which);
    }
}

}  // namespace sim::cli
