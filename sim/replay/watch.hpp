#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/id.hpp"
#include "engine/engine.hpp"
#include "replay/critical_path.hpp"
#include "replay/instances.hpp"
#include "replay/memory_watch.hpp"
#include "replay/pace_book.hpp"

namespace sim::replay
{

/// What an executor notes beyond its ledger when it is asked to explain a run. It changes nothing
/// of the run. sim/replay/observing.md
class Watch
{
public:
    Watch(const Instances& instances, bool paces);

    /// `of_phase`: flows that run together, of which this is one; 1 for kernels and copies.
    void started(engine::ActivityId id, const engine::Activity& activity, std::uint32_t of_phase,
                 Time now);
    void paced(const engine::Pace& pace, Time now) { paces_.paced(pace, now); }
    void waited(RankId rank, RankId last, Time time);
    void open(Time now);
    void close(Time now)
    {
        paces_.close(now);
        memory_.close(now);
    }

    [[nodiscard]] MemoryWatch& memory() { return memory_; }
    [[nodiscard]] const MemoryWatch& memory() const { return memory_; }

    [[nodiscard]] CriticalPath& path() { return path_; }
    [[nodiscard]] const CriticalPath& path() const { return path_; }
    [[nodiscard]] bool has_paces() const { return has_paces_; }
    [[nodiscard]] const UsageBins* bins() const { return paces_.bins(); }
    /// By the last rank to come, ranks of the job.
    [[nodiscard]] const std::map<std::uint32_t, Time>& waits(RankId rank) const
    {
        return waits_[rank.index()];
    }
    [[nodiscard]] const LostTimes& lost_by_tasks(RankId rank) const
    {
        return paces_.lost(rank.index());
    }
    [[nodiscard]] const LostTimes& lost_by_copies(RankId rank) const
    {
        return paces_.lost(ranks_ + rank.index());
    }
    [[nodiscard]] const LostTimes& lost_by(CommunicatorId communicator) const
    {
        return paces_.lost(2 * ranks_ + communicator.index());
    }
    /// Whether losses of a rank's task are those of a copy.
    void is_copy(bool copy) { copy_ = copy; }

private:
    std::size_t ranks_;
    bool has_paces_;
    bool copy_ = false;
    PaceBook paces_;
    CriticalPath path_;
    MemoryWatch memory_;
    std::vector<std::map<std::uint32_t, Time>> waits_;
};

}  // namespace sim::replay
