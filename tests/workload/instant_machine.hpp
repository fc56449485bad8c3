#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "workload/task_graph.hpp"

namespace sim::workload::testing
{

/// Runs every rank of a graph for some steps. Kernels take what `seconds` says; a collective takes
/// no time once all its members have come to it, and neither does a copy.
class InstantMachine
{
public:
    using Seconds = std::function<double(const TaskGraph&, const Kernel&)>;

    InstantMachine(const TaskGraph& graph, std::uint32_t steps, Seconds seconds)
        : graph_{graph}, steps_{steps}, seconds_{std::move(seconds)}
    {
        arrived_.resize(graph.communicators.size());
        for (std::size_t rank = 0; rank < graph.ranks(); ++rank) {
            ended_.emplace_back(program(rank).streams.size());
        }
    }

    /// Instead of none, once its members have come.
    void gathers_take(double seconds) { gather_ = seconds; }

    /// False when tasks are left that wait for each other.
    bool run()
    {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t rank = 0; rank < graph_.ranks(); ++rank) {
                for (std::size_t stream = 0; stream < ended_[rank].size(); ++stream) {
                    while (advance(rank, stream)) {
                        moved = true;
                    }
                }
            }
        }
        return left() == 0;
    }

    /// When the rank's last task of a step ended.
    [[nodiscard]] double end_of_step(std::size_t rank, std::uint32_t step) const
    {
        double end = 0;
        for (std::size_t stream = 0; stream < ended_[rank].size(); ++stream) {
            const auto count = program(rank).streams[stream].tasks.size();
            for (std::size_t task = 0; task < count; ++task) {
                end = std::max(end, ended_[rank][stream][step * count + task]);
            }
        }
        return end;
    }

    [[nodiscard]] std::size_t left() const
    {
        std::size_t count = 0;
        for (std::size_t rank = 0; rank < graph_.ranks(); ++rank) {
            for (std::size_t stream = 0; stream < ended_[rank].size(); ++stream) {
                count += steps_ * program(rank).streams[stream].tasks.size();
                count -= ended_[rank][stream].size();
            }
        }
        return count;
    }

private:
    struct Meeting {
        std::vector<std::size_t> next;           ///< per member: its next collective here
        std::vector<std::vector<double>> ready;  ///< per collective: when each member came
    };

    [[nodiscard]] const Program& program(std::size_t rank) const
    {
        return graph_.programs[graph_.program_of_rank[rank].index()];
    }

    /// When all the task's dependences have ended; nothing while one has not.
    [[nodiscard]] std::optional<double> ready(std::size_t rank, std::size_t stream) const
    {
        const auto& code = program(rank);
        const auto& tasks = code.streams[stream].tasks;
        const auto done = ended_[rank][stream].size();
        const auto step = done / tasks.size();
        const auto& task = tasks[done % tasks.size()];
        double time = done == 0 ? 0 : ended_[rank][stream].back();
        for (std::uint32_t i = 0; i < task.dependences; ++i) {
            const auto& on = code.dependences[task.first_dependence + i];
            if (on.steps_back > step) {
                continue;
            }
            const auto& other = ended_[rank][on.stream.index()];
            const auto index =
                (step - on.steps_back) * code.streams[on.stream.index()].tasks.size() + on.position;
            if (index >= other.size()) {
                return std::nullopt;
            }
            time = std::max(time, other[index]);
        }
        return time;
    }

    bool advance(std::size_t rank, std::size_t stream)
    {
        const auto& code = program(rank);
        const auto& tasks = code.streams[stream].tasks;
        auto& ended = ended_[rank][stream];
        if (tasks.empty() || ended.size() == steps_ * tasks.size()) {
            return false;
        }
        const auto start = ready(rank, stream);
        if (!start) {
            return false;
        }
        const auto& task = tasks[ended.size() % tasks.size()];
        if (task.kind == TaskKind::kernel) {
            ended.push_back(*start + seconds_(graph_, code.kernels[task.payload]));
            return true;
        }
        if (task.kind == TaskKind::copy) {
            ended.push_back(*start);
            return true;
        }
        const auto& collective = code.collectives[task.payload];
        const auto slot = collective.slot;
        const auto end = meet(graph_.slots[rank * graph_.slots_per_rank + slot], rank, *start);
        if (end) {
            const bool gathers = collective.kind == CollectiveKind::all_gather;
            ended.push_back(*end + (gathers ? gather_ : 0));
        }
        return end.has_value();
    }

    /// Says that a member is at its next collective; the end, once all are.
    std::optional<double> meet(std::uint32_t communicator, std::size_t rank, double start)
    {
        const auto& members = graph_.communicators.at(communicator).members;
        auto& meeting = arrived_[communicator];
        meeting.next.resize(members.size());
        const auto member = static_cast<std::size_t>(
            std::find(members.begin(), members.end(), RankId{rank}) - members.begin());
        const auto sequence = meeting.next.at(member);
        if (meeting.ready.size() <= sequence) {
            meeting.ready.resize(sequence + 1, std::vector<double>(members.size(), -1));
        }
        auto& came = meeting.ready[sequence];
        came[member] = start;
        if (*std::min_element(came.begin(), came.end()) < 0) {
            return std::nullopt;
        }
        ++meeting.next[member];
        return *std::max_element(came.begin(), came.end());
    }

    const TaskGraph& graph_;
    std::uint32_t steps_;
    Seconds seconds_;
    double gather_ = 0;
    std::vector<std::vector<std::vector<double>>> ended_;  ///< [rank][stream]: of each task so far
    std::vector<Meeting> arrived_;
};

}  // namespace sim::workload::testing
