#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "replay/fullest_bins.hpp"
#include "replay/observed.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// What comes and goes in the memory of one rank of every pipeline stage, the first that runs its
/// program. sim/replay/observing.md
class MemoryWatch
{
public:
    explicit MemoryWatch(const workload::TaskGraph& graph);

    void began(RankId rank, std::uint32_t stream, std::uint32_t position, Time now)
    {
        changed(rank, {stream, position, false}, now);
    }
    void ended(RankId rank, std::uint32_t stream, std::uint32_t position, Time now)
    {
        changed(rank, {stream, position, true}, now);
    }
    void open(Time now);
    void close(Time now);

    /// By stage; empty where the graph says nothing of memory.
    [[nodiscard]] std::vector<StageMemory> stages() const;
    [[nodiscard]] Time bin() const;

private:
    struct Place {
        std::uint32_t stream = 0;
        std::uint32_t position = 0;
        bool at_end = false;

        friend auto operator<=>(const Place&, const Place&) = default;
    };
    struct Change {
        Place place;
        workload::MemoryContent content;
        double amount = 0;
    };
    struct Seen {
        std::uint32_t stage = 0;
        std::vector<Change> changes{};  ///< by place
        MemoryLevels levels{};
        double since = 0;
        std::vector<FullestBins> bins{};  ///< of the GPU and of what is outside; empty: not open
    };

    void changed(RankId rank, const Place& place, Time now);
    static void settle(Seen& seen, double now);

    std::vector<std::uint32_t> seen_of_rank_;
    std::vector<Seen> seen_;
};

}  // namespace sim::replay
