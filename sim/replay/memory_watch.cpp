#include "replay/memory_watch.hpp"

#include <algorithm>
#include <set>

namespace sim::replay
{

namespace
{

using workload::MemoryContent;

constexpr std::uint32_t kNobody = 0xffffffff;
constexpr double kFirstBin = 1e-6;  ///< seconds, when no step was simulated before the window

double level(const MemoryLevels& levels, MemoryContent content)
{
    return levels[static_cast<std::size_t>(content)];
}

}  // namespace

MemoryWatch::MemoryWatch(const workload::TaskGraph& graph) : seen_of_rank_(graph.ranks(), kNobody)
{
    std::set<std::uint32_t> stages;
    for (std::uint32_t rank = 0; rank < graph.ranks(); ++rank) {
        const auto& program = graph.programs[graph.program_of_rank[rank].index()];
        if (program.memory.empty() || !stages.insert(program.stage).second) {
            continue;
        }
        seen_of_rank_[rank] = static_cast<std::uint32_t>(seen_.size());
        auto& seen = seen_.emplace_back();
        seen.stage = program.stage;
        for (const auto& change : program.memory) {
            const auto stream = static_cast<std::uint32_t>(change.stream.index());
            seen.changes.push_back(
                {{stream, change.position, change.at_end}, change.content, change.amount});
        }
        std::stable_sort(seen.changes.begin(), seen.changes.end(),
                         [](const Change& a, const Change& b) { return a.place < b.place; });
    }
}

void MemoryWatch::settle(Seen& seen, double now)
{
    if (!seen.bins.empty()) {
        const auto& levels = seen.levels;
        const auto in_gpu =
            level(levels, MemoryContent::activations) + level(levels, MemoryContent::temporary);
        seen.bins[0].add(now - seen.since, levels, in_gpu);
        seen.bins[1].add(now - seen.since, levels, level(levels, MemoryContent::host_activations));
    }
    seen.since = now;
}

void MemoryWatch::changed(RankId rank, const Place& place, Time now)
{
    const auto number = seen_of_rank_[rank.index()];
    if (number == kNobody) {
        return;
    }
    auto& seen = seen_[number];
    auto change = std::lower_bound(seen.changes.begin(), seen.changes.end(), place,
                                   [](const Change& a, const Place& b) { return a.place < b; });
    if (change == seen.changes.end() || change->place != place) {
        return;
    }
    settle(seen, now.base());
    for (; change != seen.changes.end() && change->place == place; ++change) {
        seen.levels[static_cast<std::size_t>(change->content)] += change->amount;
    }
}

void MemoryWatch::open(Time at)
{
    const double now = at.base();
    const double width = now > 0 ? now / static_cast<double>(FullestBins::kBins) : kFirstBin;
    for (auto& seen : seen_) {
        seen.since = now;
        seen.bins.assign(2, FullestBins{width});
    }
}

void MemoryWatch::close(Time at)
{
    for (auto& seen : seen_) {
        settle(seen, at.base());
    }
}

Time MemoryWatch::bin() const
{
    return seen_.empty() || seen_.front().bins.empty()
               ? Time{}
               : Time::of(seen_.front().bins.front().width());
}

std::vector<StageMemory> MemoryWatch::stages() const
{
    std::vector<StageMemory> stages;
    for (const auto& seen : seen_) {
        if (!seen.bins.empty()) {
            stages.push_back({seen.stage, seen.bins[0].level(MemoryContent::activations),
                              seen.bins[0].level(MemoryContent::temporary),
                              seen.bins[0].level(MemoryContent::micro_batches),
                              seen.bins[1].level(MemoryContent::host_activations)});
        }
    }
    return stages;
}

}  // namespace sim::replay
