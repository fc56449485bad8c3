#include "replay/waits.hpp"

#include <fmt/core.h>

namespace sim::replay
{

namespace
{

constexpr int kNamedTasks = 6;
constexpr int kNamedRanks = 4;

const workload::Collective& collective(const Standing& standing, RankId rank,
                                       const workload::Task& task)
{
    return standing.progress.program(rank).collectives[task.payload];
}

/// The stream that keeps the head's communicator busy; kNoStream when the head is no collective.
std::uint32_t holder(const Standing& standing, RankId rank, const workload::Task& task)
{
    if (task.kind != workload::TaskKind::collective) {
        return Rendezvous::kNoStream;
    }
    return standing.rendezvous.stream({rank, collective(standing, rank, task).slot});
}

bool waits_for_leavers(const Standing& standing, RankId rank, const workload::Task& task)
{
    return task.kind == workload::TaskKind::collective &&
           standing.rendezvous.has_left({rank, collective(standing, rank, task).slot});
}

const std::string& label(const Standing& standing, RankId rank, const workload::Task& task)
{
    const auto& program = standing.progress.program(rank);
    const auto index = task.kind == workload::TaskKind::kernel ? program.kernels[task.payload].label
                       : task.kind == workload::TaskKind::copy
                           ? program.copies[task.payload].label
                           : program.collectives[task.payload].label;
    return standing.graph.labels[index];
}

std::string describe_meeting(const Standing& standing, CommunicatorId communicator)
{
    const auto& rendezvous = standing.rendezvous;
    const auto members = rendezvous.members(communicator);
    const auto missing = members - rendezvous.meeting(communicator).arrived;
    std::string ranks;
    int named = 0;
    for (const auto& port : rendezvous.ports(communicator)) {
        if (rendezvous.stream(port) != Rendezvous::kNoStream) {
            continue;
        }
        if (named == kNamedRanks) {
            ranks += ", ...";
            break;
        }
        ranks += fmt::format("{}{}", named++ == 0 ? "" : ", ", port.rank.index());
    }
    return fmt::format("{} of {} members of communicator {} (rank {})", missing, members,
                       communicator.index(), ranks);
}

std::string describe_wait(const Standing& standing, RankId rank, std::uint32_t stream)
{
    const auto& program = standing.progress.program(rank);
    const auto& task = *standing.progress.head(rank, stream);
    if (standing.progress.cursor(rank, stream).head == Head::waiting) {
        const auto slot = collective(standing, rank, task).slot;
        return describe_meeting(standing, standing.rendezvous.communicator(rank, slot));
    }
    if (const auto* dependence = standing.progress.unmet(rank, stream)) {
        const auto& other = program.streams[dependence->stream.index()];
        return fmt::format("\"{}\" on stream \"{}\", step {}",
                           label(standing, rank, other.tasks[dependence->position]), other.name,
                           standing.progress.cursor(rank, stream).step - dependence->steps_back);
    }
    if (waits_for_leavers(standing, rank, task)) {
        return "members that are still in the collective before";
    }
    return fmt::format("its communicator, busy with stream \"{}\"",
                       program.streams[holder(standing, rank, task)].name);
}

}  // namespace

Blocker follow(const Standing& standing, RankId rank, std::uint32_t stream)
{
    // As many hops as streams: a longer chain goes round in a circle and will never run.
    const auto streams = standing.progress.program(rank).streams.size();
    for (std::size_t hop = 0; hop <= streams; ++hop) {
        const auto* task = standing.progress.head(rank, stream);
        if (task == nullptr) {
            return {stream, true};
        }
        if (standing.progress.cursor(rank, stream).head != Head::blocked) {
            return {stream, false};
        }
        if (const auto* dependence = standing.progress.unmet(rank, stream)) {
            stream = dependence->stream.index();
        } else if (const auto other = holder(standing, rank, *task);
                   other != Rendezvous::kNoStream) {
            stream = other;
        } else if (waits_for_leavers(standing, rank, *task)) {
            return {stream, false};
        } else {
            return {stream, true};
        }
    }
    return {stream, true};
}

namespace
{

/// Whether activities of the head may be under way; a chunked collective begins before all are
/// there.
bool moves(const Standing& standing, RankId rank, std::uint32_t stream)
{
    const auto head = standing.progress.cursor(rank, stream).head;
    if (head != Head::waiting) {
        return head == Head::running;
    }
    const auto& asked = collective(standing, rank, *standing.progress.head(rank, stream));
    const auto communicator = standing.rendezvous.communicator(rank, asked.slot);
    return standing.rendezvous.meeting(communicator).chunks != nullptr;
}

}  // namespace

std::string describe_running(const Standing& standing)
{
    std::string text;
    std::uint64_t running = 0;
    for (std::uint32_t r = 0; r < standing.graph.ranks(); ++r) {
        const RankId rank{r};
        const auto& streams = standing.progress.program(rank).streams;
        for (std::uint32_t stream = 0; stream < streams.size(); ++stream) {
            const auto& cursor = standing.progress.cursor(rank, stream);
            if (moves(standing, rank, stream) && running++ < kNamedTasks) {
                text += fmt::format("\n  rank {}, stream \"{}\", step {}: \"{}\" stands still", r,
                                    streams[stream].name, cursor.step,
                                    label(standing, rank, *standing.progress.head(rank, stream)));
            }
        }
    }
    if (running > kNamedTasks) {
        text += fmt::format("\n  and {} more", running - kNamedTasks);
    }
    return text;
}

namespace
{

std::string describe(const Standing& standing)
{
    std::string text;
    std::uint64_t waiting = 0;
    for (std::uint32_t r = 0; r < standing.graph.ranks(); ++r) {
        const RankId rank{r};
        const auto& streams = standing.progress.program(rank).streams;
        for (std::uint32_t stream = 0; stream < streams.size(); ++stream) {
            const auto* task = standing.progress.head(rank, stream);
            if (task == nullptr || waiting++ >= kNamedTasks) {
                continue;
            }
            text +=
                fmt::format("\n  rank {}, stream \"{}\", step {}: \"{}\" waits for {}", r,
                            streams[stream].name, standing.progress.cursor(rank, stream).step,
                            label(standing, rank, *task), describe_wait(standing, rank, stream));
        }
    }
    if (waiting > kNamedTasks) {
        text += fmt::format("\n  and {} more", waiting - kNamedTasks);
    }
    return fmt::format("deadlock: nothing runs and the heads of {} stream{} wait:{}", waiting,
                       waiting == 1 ? "" : "s", text);
}

/// Where every rank stands: where its instance does.
std::string describe_unfolded(const Instances& instances, const Progress& progress,
                              const Rendezvous& rendezvous)
{
    const auto& job = instances.job;
    Progress all{job, progress.steps()};
    Rendezvous meetings{job};
    for (std::uint32_t r = 0; r < job.ranks(); ++r) {
        const RankId rank{r};
        const RankId instance{instances.instance_of_rank[r]};
        for (std::uint32_t s = 0; s < all.program(rank).streams.size(); ++s) {
            all.cursor(rank, s) = progress.cursor(instance, s);
        }
    }
    for (std::size_t c = 0; c < job.communicators.size(); ++c) {
        for (const auto& port : meetings.ports(CommunicatorId{c})) {
            const RankId instance{instances.instance_of_rank[port.rank.index()]};
            const auto stream = rendezvous.stream({instance, port.slot});
            meetings.enter(port, stream);
            meetings.meeting(CommunicatorId{c}).arrived += stream == Rendezvous::kNoStream ? 0 : 1;
        }
    }
    return describe({job, all, meetings});
}

}  // namespace

std::string describe_deadlock(const Instances& instances, const Progress& progress,
                              const Rendezvous& rendezvous)
{
    return instances.folded() ? describe_unfolded(instances, progress, rendezvous)
                              : describe({instances.graph, progress, rendezvous});
}

}  // namespace sim::replay
