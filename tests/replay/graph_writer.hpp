#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "workload/task_graph.hpp"

namespace sim::replay::test
{

using workload::CollectiveKind;
using workload::Purpose;

/// Where a task stands in its program.
struct Position {
    std::uint32_t stream = 0;
    std::uint32_t position = 0;
};

inline workload::Dependence on(Position task) { return {StreamId{task.stream}, task.position, 0}; }
inline workload::Dependence on_last_step(Position task)
{
    return {StreamId{task.stream}, task.position, 1};
}

/// Writes one program by hand.
class ProgramWriter
{
public:
    using Dependences = std::vector<workload::Dependence>;

    ProgramWriter(workload::TaskGraph& graph, std::initializer_list<const char*> streams)
        : graph_{graph}
    {
        for (const auto* name : streams) {
            program_.streams.push_back({name, {}});
        }
    }

    Position recorded(std::uint32_t stream, const std::string& label, double seconds,
                      const Dependences& dependences = {})
    {
        program_.kernels.push_back({{}, add_label(label), seconds});
        return add(stream, workload::TaskKind::kernel, program_.kernels.size() - 1, dependences);
    }

    Position kernel(std::uint32_t stream, const std::string& label,
                    const spec::Operation& operation, const Dependences& dependences = {})
    {
        program_.kernels.push_back({operation, add_label(label), {}});
        return add(stream, workload::TaskKind::kernel, program_.kernels.size() - 1, dependences);
    }

    Position collective(std::uint32_t stream, workload::Collective collective,
                        const std::string& label, const Dependences& dependences = {})
    {
        collective.label = add_label(label);
        program_.collectives.push_back(collective);
        return add(stream, workload::TaskKind::collective, program_.collectives.size() - 1,
                   dependences);
    }

    Position copy(std::uint32_t stream, workload::Copy copy, const std::string& label,
                  const Dependences& dependences = {})
    {
        copy.label = add_label(label);
        program_.copies.push_back(copy);
        return add(stream, workload::TaskKind::copy, program_.copies.size() - 1, dependences);
    }

    /// The program's id in the graph.
    ProgramId done()
    {
        graph_.programs.push_back(program_);
        return ProgramId{graph_.programs.size() - 1};
    }

private:
    std::uint32_t add_label(const std::string& label)
    {
        graph_.labels.push_back(label);
        return static_cast<std::uint32_t>(graph_.labels.size() - 1);
    }

    Position add(std::uint32_t stream, workload::TaskKind kind, std::size_t payload,
                 const Dependences& dependences)
    {
        auto& tasks = program_.streams[stream].tasks;
        tasks.push_back({kind, static_cast<std::uint32_t>(payload),
                         static_cast<std::uint32_t>(program_.dependences.size()),
                         static_cast<std::uint32_t>(dependences.size())});
        program_.dependences.insert(program_.dependences.end(), dependences.begin(),
                                    dependences.end());
        return {stream, static_cast<std::uint32_t>(tasks.size() - 1)};
    }

    workload::TaskGraph& graph_;
    workload::Program program_;
};

/// Adds ranks that run these programs, none of them in a communicator yet.
inline void add_ranks(workload::TaskGraph& graph, const std::vector<ProgramId>& programs,
                      std::uint32_t slots)
{
    graph.program_of_rank = programs;
    graph.slots_per_rank = slots;
    graph.slots.assign(programs.size() * slots, workload::kNoCommunicator);
}

/// A communicator that is `slots[i]` to member i (the last entry also to all further members).
inline void add_communicator(workload::TaskGraph& graph, Purpose purpose,
                             const std::vector<std::uint32_t>& ranks,
                             const std::vector<std::uint32_t>& slots)
{
    const auto id = static_cast<std::uint32_t>(graph.communicators.size());
    auto& communicator = graph.communicators.emplace_back();
    communicator.purpose = purpose;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        communicator.members.emplace_back(ranks[i]);
        graph.slots[ranks[i] * graph.slots_per_rank + slots[std::min(i, slots.size() - 1)]] = id;
    }
}

}  // namespace sim::replay::test
