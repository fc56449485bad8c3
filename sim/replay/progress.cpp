#include "replay/progress.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace sim::replay
{

bool has_tasks(const workload::Program& program)
{
    return std::any_of(program.streams.begin(), program.streams.end(),
                       [](const workload::Stream& stream) { return !stream.tasks.empty(); });
}

Progress::Progress(const workload::TaskGraph& graph, std::uint32_t steps)
    : graph_{graph}, steps_{steps}
{
    std::size_t cursors = 0;
    for (const auto program : graph.program_of_rank) {
        first_.push_back(cursors);
        cursors += graph.programs[program.index()].streams.size();
    }
    cursors_.resize(cursors);
}

const workload::Task* Progress::head(RankId rank, std::uint32_t stream) const
{
    const auto& tasks = program(rank).streams[stream].tasks;
    const auto& at = cursor(rank, stream);
    return tasks.empty() || at.step >= steps_ ? nullptr : &tasks[at.position];
}

const workload::Dependence* Progress::unmet(RankId rank, std::uint32_t stream) const
{
    const auto* task = head(rank, stream);
    const auto step = cursor(rank, stream).step;
    const auto* dependence = program(rank).dependences.data() + task->first_dependence;
    for (std::uint32_t i = 0; i < task->dependences; ++i, ++dependence) {
        if (dependence->steps_back > step) {
            continue;
        }
        const auto due = step - dependence->steps_back;
        const auto& other = cursor(rank, dependence->stream.index());
        const bool met =
            other.step > due || (other.step == due && other.position > dependence->position);
        if (!met) {
            return dependence;
        }
    }
    return nullptr;
}

bool Progress::end_head(RankId rank, std::uint32_t stream)
{
    const auto& streams = program(rank).streams;
    auto& at = cursor(rank, stream);
    SIM_EXPECT(at.head == Head::running);
    at.head = Head::blocked;
    if (++at.position < streams[stream].tasks.size()) {
        return false;
    }
    at.position = 0;
    ++at.step;
    if (!streams.front().tasks.empty()) {
        return stream == 0;
    }
    for (std::uint32_t other = 0; other < streams.size(); ++other) {
        if (!streams[other].tasks.empty() && cursor(rank, other).step < at.step) {
            return false;
        }
    }
    return true;
}

}  // namespace sim::replay
