#include "formats/trace_summary.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "formats/trace_topology.hpp"
#include "formats/trace_words.hpp"

namespace sim::formats
{

namespace
{

constexpr const char* kMessage = "message";

/// The rank's longest chain of dependences, in recorded seconds.
double longest_chain(const Trace& trace, std::uint32_t rank)
{
    const auto topology = sort_rank(trace, rank);
    const auto& nodes = trace.ranks[rank].nodes;
    std::vector<double> ends(nodes.size());
    double longest = 0;
    for (const auto node : topology.order) {
        const auto* on = trace.ranks[rank].dependences.data() + nodes[node].first_dependence;
        double start = 0;
        for (std::uint32_t i = 0; i < nodes[node].dependences; ++i) {
            start = std::max(start, ends[on[i]]);
        }
        ends[node] = start + (nodes[node].kind == TraceKind::compute ? nodes[node].seconds : 0);
        longest = std::max(longest, ends[node]);
    }
    return longest;
}

using Key = std::tuple<std::string, std::int64_t, std::size_t>;

/// Adds the rank's nodes; a collective counts at the first member of its group.
class Counter
{
public:
    Counter(const Trace& trace, TraceSummary& summary) : trace_{trace}, summary_{summary} {}

    void count(std::uint32_t rank)
    {
        double compute = 0;
        for (const auto& node : trace_.ranks[rank].nodes) {
            compute += count(rank, node);
        }
        summary_.nodes += trace_.ranks[rank].nodes.size() * trace_.copies;
        summary_.least_compute = std::min(summary_.least_compute, compute);
        summary_.most_compute = std::max(summary_.most_compute, compute);
        summary_.critical_path = std::max(summary_.critical_path, longest_chain(trace_, rank));
    }

    void finish()
    {
        for (const auto group : groups_) {
            const auto size = trace_.groups[group].ranks.size();
            summary_.groups += trace_.copies > 1 ? trace_.copies / size : 1;
        }
        for (const auto& [key, count] : traffic_) {
            summary_.traffic.push_back(
                {std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
        }
    }

private:
    /// Seconds it keeps the GPU.
    double count(std::uint32_t rank, const TraceNode& node)
    {
        if (node.kind == TraceKind::send) {
            ++traffic_[{kMessage, node.size, 2}];
        } else if (node.kind == TraceKind::collective) {
            const auto& members = trace_.groups[node.group].ranks;
            groups_.insert(node.group);
            if (!members.empty() && members.front() == rank) {
                traffic_[{word(node.collective), node.size, members.size()}] +=
                    trace_.copies > 1 ? trace_.copies / members.size() : 1;
            }
        } else if (node.kind == TraceKind::compute && node.lane == 0 && !node.host) {
            const bool silent = node.seconds == 0 && node.flops == 0 && node.bytes == 0;
            summary_.without_time += silent ? 1 : 0;
            return node.seconds;
        }
        return 0;
    }

    const Trace& trace_;
    TraceSummary& summary_;
    std::map<Key, std::uint64_t> traffic_;
    std::set<std::uint32_t> groups_;
};

}  // namespace

TraceSummary summarise(const Trace& trace)
{
    TraceSummary summary;
    summary.format = trace.format;
    summary.ranks = rank_count(trace);
    summary.notes = trace.notes;
    summary.recorded = trace.recorded_seconds;
    summary.overlap = trace.recorded_overlap;
    summary.least_compute = std::numeric_limits<double>::infinity();
    Counter counter{trace, summary};
    for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
        counter.count(rank);
    }
    counter.finish();
    if (trace.ranks.empty()) {
        summary.least_compute = 0;
    }
    return summary;
}

}  // namespace sim::formats
