#include "formats/trace_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "formats/trace_meetings.hpp"
#include "formats/trace_topology.hpp"

namespace sim::formats
{

namespace
{

constexpr double kBytesPerSecond = 50e9;

/// An end to come.
struct End {
    double at = 0;
    std::uint64_t sequence = 0;  ///< of equal times the one begun first
    std::uint32_t rank = 0;
    std::uint32_t node = 0;
    [[nodiscard]] bool operator>(const End& other) const
    {
        return std::tie(at, sequence) > std::tie(other.at, other.sequence);
    }
};

using Earliest = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

/// A rank while its nodes are started.
struct Standing {
    std::vector<std::uint32_t> waits;  ///< by node: dependences that have not ended
    std::vector<Earliest> ready;       ///< by lane: places in the rank's order
    std::vector<bool> busy;            ///< by lane
};

/// Members that have come to a meeting. Of a pair only the sender has to.
struct Gathering {
    std::uint32_t next = 0;                                     ///< sequence number
    std::vector<std::map<std::uint32_t, std::uint32_t>> ready;  ///< by member: sequence -> node
    std::set<std::uint32_t> sent;                               ///< of a pair: not received yet
    std::map<std::uint32_t, std::uint32_t> receivers;  ///< of a pair: sequence -> node that waits
};

class Starter
{
public:
    Starter(const Trace& trace, const std::vector<RankTopology>& topologies, TraceOrder& order)
        : trace_{trace}, topologies_{topologies}, order_{order}, standing_(trace.ranks.size())
    {
        order_.starts.resize(trace.ranks.size());
        for (const auto& communicator : order_.communicators) {
            gatherings_.emplace_back().ready.resize(communicator.pair ? 1
                                                                      : communicator.ranks.size());
        }
    }

    void run()
    {
        for (std::uint32_t rank = 0; rank < trace_.ranks.size(); ++rank) {
            auto& waits = standing_[rank].waits;
            standing_[rank].ready.resize(trace_.ranks[rank].lanes);
            standing_[rank].busy.resize(trace_.ranks[rank].lanes);
            for (const auto& node : trace_.ranks[rank].nodes) {
                waits.push_back(node.dependences);
            }
            for (const auto node : topologies_[rank].order) {
                if (waits[node] == 0) {
                    ready(rank, node);
                }
            }
        }
        while (!ends_.empty()) {
            const auto end = ends_.top();
            ends_.pop();
            now_ = end.at;
            finish(end.rank, end.node);
        }
    }

private:
    [[nodiscard]] const TraceNode& node_of(std::uint32_t rank, std::uint32_t node) const
    {
        return trace_.ranks[rank].nodes[node];
    }

    void ready(std::uint32_t rank, std::uint32_t node)
    {
        if (node_of(rank, node).kind != TraceKind::compute) {
            arrive(rank, node);
            return;
        }
        const auto lane = node_of(rank, node).lane;
        standing_[rank].ready[lane].push(topologies_[rank].place[node]);
        take_next(rank, lane);
    }

    void take_next(std::uint32_t rank, std::uint32_t lane)
    {
        auto& waiting = standing_[rank].ready[lane];
        if (standing_[rank].busy[lane] || waiting.empty()) {
            return;
        }
        standing_[rank].busy[lane] = true;
        const auto node = topologies_[rank].order[waiting.top()];
        waiting.pop();
        begin(rank, node, node_of(rank, node).seconds);
    }

    void begin(std::uint32_t rank, std::uint32_t node, double seconds)
    {
        order_.starts[rank].push_back(node);
        ends_.push({now_ + seconds, sequence_++, rank, node});
    }

    void arrive(std::uint32_t rank, std::uint32_t node)
    {
        const auto meeting = order_.meetings[rank][node];
        auto& gathering = gatherings_[meeting.communicator];
        if (node_of(rank, node).kind == TraceKind::receive) {
            if (gathering.sent.erase(meeting.sequence) > 0) {
                begin(rank, node, 0);
            } else {
                gathering.receivers.emplace(meeting.sequence, node);
            }
            return;
        }
        gathering.ready[meeting.member].emplace(meeting.sequence, node);
        start_gathered(meeting.communicator);
    }

    /// What was sent has come: whoever waits for it goes on.
    void deliver(std::uint32_t rank, std::uint32_t node)
    {
        const auto meeting = order_.meetings[rank][node];
        auto& gathering = gatherings_[meeting.communicator];
        const auto waiting = gathering.receivers.find(meeting.sequence);
        if (waiting == gathering.receivers.end()) {
            gathering.sent.insert(meeting.sequence);
            return;
        }
        begin(order_.communicators[meeting.communicator].ranks[1], waiting->second, 0);
        gathering.receivers.erase(waiting);
    }

    /// In the order of the sequence, when all members have come to the next.
    void start_gathered(std::uint32_t communicator)
    {
        auto& gathering = gatherings_[communicator];
        const auto& members = order_.communicators[communicator].ranks;
        for (;;) {
            const auto complete =
                std::all_of(gathering.ready.begin(), gathering.ready.end(), [&](const auto& come) {
                    return !come.empty() && come.begin()->first == gathering.next;
                });
            if (!complete) {
                return;
            }
            for (std::size_t i = 0; i < gathering.ready.size(); ++i) {
                const auto node = gathering.ready[i].begin()->second;
                gathering.ready[i].erase(gathering.ready[i].begin());
                begin(members[i], node,
                      static_cast<double>(node_of(members[i], node).size) / kBytesPerSecond);
            }
            ++gathering.next;
        }
    }

    void finish(std::uint32_t rank, std::uint32_t node)
    {
        auto& standing = standing_[rank];
        const auto& ended = node_of(rank, node);
        if (ended.kind == TraceKind::compute) {
            standing.busy[ended.lane] = false;
        } else if (ended.kind == TraceKind::send) {
            deliver(rank, node);
        }
        for (const auto waiting : topologies_[rank].dependents(node)) {
            if (--standing.waits[waiting] == 0) {
                ready(rank, waiting);
            }
        }
        if (ended.kind == TraceKind::compute) {
            take_next(rank, ended.lane);
        }
    }

    const Trace& trace_;
    const std::vector<RankTopology>& topologies_;
    TraceOrder& order_;
    std::vector<Standing> standing_;
    std::vector<Gathering> gatherings_;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
    double now_ = 0;
    std::uint64_t sequence_ = 0;
};

/// What never starts waits for a rank that comes to its meetings in another order.
void check_all_start(const Trace& trace, const TraceOrder& order)
{
    Diagnostics wrong;
    for (std::uint32_t rank = 0; rank < trace.ranks.size() && wrong.size() < 8; ++rank) {
        const auto& nodes = trace.ranks[rank].nodes;
        if (order.starts[rank].size() == nodes.size()) {
            continue;
        }
        std::vector<bool> started(nodes.size());
        for (const auto node : order.starts[rank]) {
            started[node] = true;
        }
        const auto first = std::find(started.begin(), started.end(), false) - started.begin();
        const auto& node = nodes[static_cast<std::size_t>(first)];
        wrong.push_back(about_rank(
            trace, rank,
            fmt::format("{} of {} nodes never start, first node {} \"{}\": the ranks wait for each "
                        "other",
                        nodes.size() - order.starts[rank].size(), nodes.size(), node.id,
                        trace.labels[node.label])));
    }
    if (!wrong.empty()) {
        throw InputError{std::move(wrong)};
    }
}

}  // namespace

TraceOrder order_trace(const Trace& trace)
{
    std::vector<RankTopology> topologies;
    for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
        topologies.push_back(sort_rank(trace, rank));
    }
    TraceOrder order = match_meetings(trace, topologies);
    Starter{trace, topologies, order}.run();
    check_all_start(trace, order);
    return order;
}

}  // namespace sim::formats
