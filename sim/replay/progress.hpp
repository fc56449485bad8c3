#pragma once

#include <cstdint>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// Names a kernel or a copy to the engine: one of a stream runs at a time.
inline constexpr unsigned kStreamBits = 16;
[[nodiscard]] inline std::uint64_t task_token(RankId rank, std::uint32_t stream)
{
    return (std::uint64_t{rank.index()} << kStreamBits) | stream;
}

/// Where the task at the head of a stream stands.
enum class Head : std::uint8_t {
    blocked,  ///< a dependence is not met, or its communicator is busy
    waiting,  ///< a collective whose other members have not come
    running,
};

/// How far a stream is: all before (step, position) has ended, that task is the head.
struct Cursor {
    std::uint32_t step = 0;
    std::uint32_t position = 0;
    Head head = Head::blocked;
    Time since{};  ///< its kernel or copy runs
};

/// How far every rank is, as one cursor per stream. A stream is serial and in order, so a
/// dependence is met when the cursor of its stream has passed it.
class Progress
{
public:
    /// No stream goes further than `steps` steps.
    Progress(const workload::TaskGraph& graph, std::uint32_t steps);

    [[nodiscard]] std::uint32_t steps() const { return steps_; }
    [[nodiscard]] const workload::Program& program(RankId rank) const
    {
        return graph_.programs[graph_.program_of_rank[rank.index()].index()];
    }
    [[nodiscard]] Cursor& cursor(RankId rank, std::uint32_t stream)
    {
        return cursors_[first_[rank.index()] + stream];
    }
    [[nodiscard]] const Cursor& cursor(RankId rank, std::uint32_t stream) const
    {
        return cursors_[first_[rank.index()] + stream];
    }
    /// Null when the stream has run all its steps.
    [[nodiscard]] const workload::Task* head(RankId rank, std::uint32_t stream) const;

    /// The first dependence of the head that is not met; null when all are.
    [[nodiscard]] const workload::Dependence* unmet(RankId rank, std::uint32_t stream) const;

    /// Ends the head. True when that ended the rank's step: its last compute task, or, for a rank
    /// without compute tasks, the last task of its last stream.
    bool end_head(RankId rank, std::uint32_t stream);

private:
    const workload::TaskGraph& graph_;
    std::uint32_t steps_;
    std::vector<std::size_t> first_;  ///< cursor of a rank's stream 0
    std::vector<Cursor> cursors_;
};

/// Whether the rank has anything to do in a step.
[[nodiscard]] bool has_tasks(const workload::Program& program);

}  // namespace sim::replay
