#include "replay/critical_path.hpp"

#include <algorithm>

namespace sim::replay
{

namespace
{

constexpr std::size_t kLaunch = kResourceKinds;
constexpr std::size_t kLatency = kResourceKinds + 1;

}  // namespace

const char* path_part_name(std::size_t part)
{
    return part == kLaunch    ? "launch"
           : part == kLatency ? "latency"
                              : name(static_cast<ResourceKind>(part));
}

CriticalPath::CriticalPath(const workload::TaskGraph& graph)
    : collectives_(graph.communicators.size())
{
    std::size_t streams = 0;
    for (const auto program : graph.program_of_rank) {
        first_.push_back(streams);
        streams += graph.programs[program.index()].streams.size();
    }
    tasks_.resize(streams);
}

void CriticalPath::lengthen(const Chain& chain, const Spent& spent, double now)
{
    trigger_ = chain.parts;
    const auto take = [&](std::size_t part, double from, double until) {
        const double begin = std::max(from, opened_);
        trigger_[part] += std::max(0.0, std::min(until, now) - begin);
    };
    const double launched = chain.since + spent.launch.base();
    const double moving = launched + spent.latency.base();
    take(kLaunch, chain.since, launched);
    take(kLatency, launched, moving);
    take(spent.rest ? static_cast<std::size_t>(*spent.rest) : kLatency, moving, now);
}

void CriticalPath::task_started(RankId rank, std::uint32_t stream, Time now)
{
    task(rank, stream) = {trigger_, now.base()};
}

void CriticalPath::task_ended(RankId rank, std::uint32_t stream, const Spent& spent, Time now)
{
    lengthen(task(rank, stream), spent, now.base());
}

void CriticalPath::member_arrived(CommunicatorId communicator, Time now)
{
    collectives_[communicator.index()] = {trigger_, now.base()};
}

void CriticalPath::collective_ended(CommunicatorId communicator, const Spent& spent, Time now)
{
    lengthen(collectives_[communicator.index()], spent, now.base());
}

void CriticalPath::open(Time now)
{
    opened_ = now.base();
    trigger_ = {};
    for (auto& chain : tasks_) {
        chain.parts = {};
    }
    for (auto& chain : collectives_) {
        chain.parts = {};
    }
}

}  // namespace sim::replay
