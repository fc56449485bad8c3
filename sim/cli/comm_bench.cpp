#include "cli/comm_bench.hpp"

#include <algorithm>
#include <map>

#include "cli/comm_run.hpp"
#include "collective/tuning.hpp"
#include "collective/words.hpp"

namespace sim::cli
{
namespace
{

/// Least time between two collectives of the program that measures.
Time floor_of(const spec::CollectiveSpec& library)
{
    if (!library.tuning) {
        return {};
    }
    const auto& tuning = *library.tuning;
    return std::max(tuning.host_launch * static_cast<double>(tuning.gpus_per_process),
                    tuning.harness.value_or(Time{}));
}

std::vector<double> bytes_by_link(const collective::Schedule& schedule, std::size_t links)
{
    std::vector<double> bytes(links, 0.0);
    for (const auto& phase : schedule.phases) {
        for (const auto& flow : phase.flows) {
            for (const auto& use : flow.links) {
                bytes[use.link.index()] += flow.amount * use.consumption;
            }
        }
    }
    return bytes;
}

Time latency_of(const collective::Schedule& schedule)
{
    Time sum;
    for (const auto& phase : schedule.phases) {
        Time longest;
        for (const auto& flow : phase.flows) {
            longest = std::max(longest, flow.latency);
        }
        sum += longest;
    }
    return sum;
}

std::vector<BusiestLink> busiest_links(const std::vector<double>& bytes, const fabric::Graph& graph,
                                       Time time)
{
    std::map<fabric::LinkKind, BusiestLink> busiest;
    for (std::size_t id = 0; id < bytes.size(); ++id) {
        if (!(bytes[id] > 0)) {
            continue;
        }
        const auto& link = graph.links()[id];
        const double passed = bytes[id];
        const double share = passed / link.bandwidth.base() / time.base();
        auto& most = busiest[link.kind];
        if (share > most.share) {
            most = {replay::name(replay::kind_of(link.kind)), link.name, passed,
                    link.bandwidth.base(), share};
        }
    }
    std::vector<BusiestLink> tiers;
    for (auto& [kind, link] : busiest) {
        tiers.push_back(std::move(link));
    }
    return tiers;
}

}  // namespace

CommBench::CommBench(const spec::ClusterSpec& cluster, std::uint64_t seed, engine::Kind engine)
    : cluster_{cluster},
      kind_{engine},
      engine_{engine::make_engine(engine)},
      machine_{cluster_, *engine_, seed},
      planner_{machine_.fabric(), machine_.router(), cluster_}
{
}

std::vector<GpuId> CommBench::first(std::size_t ranks) const
{
    std::vector<GpuId> members;
    for (std::size_t rank = 0; rank < std::min(ranks, machine_.places()); ++rank) {
        members.push_back(machine_.gpu_of(RankId{rank}));
    }
    return members;
}

std::vector<GpuId> CommBench::spread(std::size_t ranks, std::size_t nodes) const
{
    std::vector<std::size_t> taken(machine_.fabric().nodes, 0);
    std::vector<GpuId> members;
    const std::size_t each = nodes == 0 ? 0 : ranks / nodes;
    for (std::size_t gpu = 0; gpu < gpus(); ++gpu) {
        const auto node = machine_.fabric().node_of_gpu[gpu].index();
        if (node < nodes && taken[node] < each) {
            ++taken[node];
            members.emplace_back(gpu);
        }
    }
    return members.size() == ranks ? members : std::vector<GpuId>{};
}

std::vector<Time> CommBench::run(std::span<const collective::Schedule> schedules)
{
    if (cluster_.events.empty() && cluster_.outages.empty()) {
        return CommRun{*engine_, machine_}.times(schedules);
    }
    // Events and outages are told from the start of what they happen to: clocks do not go back.
    const auto fresh = engine::make_engine(kind_);
    for (const auto& resource : machine_.resources()) {
        fresh->add_resource(
            {machine_.name(resource.id), resource.capacity, machine_.schedule(resource.id)});
    }
    return CommRun{*fresh, machine_}.times(schedules);
}

void CommBench::explain(CommResult& result, const collective::Schedule& schedule) const
{
    const auto& graph = machine_.fabric().graph;
    const auto& link = graph.links()[schedule.binding_link.index()];
    const auto bytes = bytes_by_link(schedule, graph.links().size());
    result.link = link.name;
    result.link_bytes = bytes[schedule.binding_link.index()];
    result.tiers = busiest_links(bytes, graph, result.time);
    const auto latency = latency_of(schedule);
    const auto on_link = Time::of(result.link_bytes / link.bandwidth.base());
    if (result.time > schedule.lower_bound && result.time == floor_of(cluster_.collective)) {
        result.binding = "host";
    } else if (2 * latency > result.time) {
        result.binding = "latency";
    } else if (latency + on_link < 0.999 * schedule.lower_bound && schedule.phases.size() == 1) {
        result.binding = "ceiling";
    } else {
        result.binding = replay::name(replay::kind_of(link.kind));
    }
}

CommResult CommBench::result(const collective::Request& request,
                             const collective::Schedule& schedule, Time time) const
{
    CommResult result;
    result.kind = request.kind;
    result.ranks = request.members.size();
    result.size = request.size;
    result.lower_bound = schedule.lower_bound;
    result.algorithm = collective::name(schedule.algorithm);
    result.protocol = schedule.protocol ? collective::name(*schedule.protocol) : "-";
    result.channels = schedule.channels;
    if (schedule.phases.empty()) {
        result.binding = "nothing";
        return result;
    }
    result.time = std::max(time, floor_of(cluster_.collective));
    result.algbw = static_cast<double>(request.size.base()) / result.time.base();
    result.busbw = result.algbw * collective::bus_factor(request.kind, request.members.size());
    explain(result, schedule);
    return result;
}

CommResult CommBench::measure(const collective::Request& request)
{
    return measure(std::span{&request, 1}).front();
}

std::vector<CommResult> CommBench::measure(std::span<const collective::Request> requests)
{
    std::vector<collective::Schedule> schedules;
    for (const auto& request : requests) {
        schedules.push_back(planner_.plan(request));
    }
    const auto together = run(schedules);
    std::vector<CommResult> results;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto alone =
            requests.size() == 1 ? together[i] : run(std::span{&schedules[i], 1}).front();
        results.push_back(result(requests[i], schedules[i], together[i]));
        results.back().alone = std::max(alone, floor_of(cluster_.collective));
    }
    return results;
}

}  // namespace sim::cli
