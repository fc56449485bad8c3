#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "replay/resource_kind.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// Resource kinds, then launches, then latencies.
inline constexpr std::size_t kPathParts = kResourceKinds + 2;
using PathParts = std::array<double, kPathParts>;
[[nodiscard]] const char* path_part_name(std::size_t part);

/// The chain of tasks in which each started the instant the one before it ended, from the start of
/// the window to the end of the task that closed it, and what each link of it took its time for.
///
/// It is kept forwards: whatever runs remembers the parts of the chain that led to its start. What
/// ends hands its chain, longer by itself, to all that starts at that instant. So the parts sum to
/// the window, and nothing is stored per task.
class CriticalPath
{
public:
    CriticalPath(const workload::TaskGraph& graph);

    /// How long something took, and what for.
    struct Spent {
        Time launch{};                       ///< first
        Time latency{};                      ///< then
        std::optional<ResourceKind> rest{};  ///< the remainder; latency when nothing moves
    };

    void task_started(RankId rank, std::uint32_t stream, Time now);
    void task_ended(RankId rank, std::uint32_t stream, const Spent& spent, Time now);
    /// A member has come: the chain is that of the last.
    void member_arrived(CommunicatorId communicator, Time now);
    void collective_ended(CommunicatorId communicator, const Spent& spent, Time now);

    void open(Time now);
    /// The chain that closes the window now.
    [[nodiscard]] const PathParts& parts() const { return trigger_; }

private:
    struct Chain {
        PathParts parts{};
        double since = 0;
    };
    void lengthen(const Chain& chain, const Spent& spent, double now);
    [[nodiscard]] Chain& task(RankId rank, std::uint32_t stream)
    {
        return tasks_[first_[rank.index()] + stream];
    }

    std::vector<std::size_t> first_;  ///< chain of a rank's stream 0
    std::vector<Chain> tasks_;
    std::vector<Chain> collectives_;
    PathParts trigger_{};  ///< of what ended at this instant
    double opened_ = 0;
};

}  // namespace sim::replay
