#include "cli/comm_run.hpp"

namespace sim::cli
{

std::vector<Time> CommRun::times(std::span<const collective::Schedule> schedules)
{
    progress_.clear();
    const auto begun = engine_.now();
    for (const auto& schedule : schedules) {
        progress_.push_back({&schedule, 0, 0, begun});
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
    for (const auto& flow : flows) {
        start(flow, launch, which);
    }
}

void CommRun::start(const collective::Flow& flow, Time launch, std::size_t which)
{
    std::vector<engine::Use> uses;
    for (const auto& use : flow.links) {
        uses.push_back({machine_.link(use.link), use.consumption});
    }
    for (const auto& use : flow.memories) {
        uses.push_back({machine_.hbm(use.gpu), use.consumption});
    }
    engine_.start({flow.amount, flow.latency + launch, uses, flow.share, flow.rate_cap, which});
}

void CommRun::finished(std::uint64_t token)
{
    auto& progress = progress_[token];
    if (--progress.flows_left == 0) {
        ++progress.phase;
        start_phase(token);
    }
}

}  // namespace sim::cli
