#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/fingerprint.hpp"
#include "core/id.hpp"
#include "engine/engine.hpp"
#include "replay/audit.hpp"
#include "replay/instances.hpp"
#include "replay/ledger.hpp"
#include "replay/live_routes.hpp"
#include "replay/lowering.hpp"
#include "replay/progress.hpp"
#include "replay/rendezvous.hpp"
#include "replay/timeline_recorder.hpp"
#include "replay/waits.hpp"
#include "replay/watch.hpp"
#include "replay/window.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// How a graph is executed.
struct Execution {
    std::uint32_t steps = 2;               ///< at least one
    std::optional<Audited> audited{};      ///< absent: no audit
    const Machine* rerouting = nullptr;    ///< whose routes change while the graph runs
    TimelineRecorder* recorder = nullptr;  ///< null: nobody wants to know
    bool watched = false;                  ///< also note what watch() tells
};

/// Runs a task graph for a number of steps and measures the last one. What is called a rank or a
/// communicator here is an instance or a group when the job is folded (instances.hpp).
///
/// A task starts when it is at the head of its stream and its dependences have ended; a collective
/// also waits for its last member. Step k ends when every rank has ended its last compute task of
/// step k; the window measured is from the end of the step before to the end of the last. Ranks
/// that are ahead go on into the step after it meanwhile, as they would in a long run. Needs
/// no memory per task.
class Executor final : public engine::Listener
{
public:
    /// The engine is new and has the instances' supplies.
    Executor(const Instances& instances, Lowering& lowering, engine::Engine& engine,
             Execution execution);

    /// Throws Error on a deadlock, with the waiting tasks, and engine::Stalled with the running
    /// ones when capacity that they need never returns.
    void run();

    [[nodiscard]] const Ledger& ledger() const { return ledger_; }
    [[nodiscard]] Lowering& lowering() { return lowering_; }
    [[nodiscard]] const std::vector<double>& served() const { return window_.served(); }
    [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_.value(); }
    [[nodiscard]] std::uint64_t activities() const { return activities_; }

    /// Null unless the execution is watched.
    [[nodiscard]] const Watch* watch() const { return watch_ ? &*watch_ : nullptr; }

    void finished(std::uint64_t token) override;
    void timer(std::uint64_t token) override;
    void paced(const engine::Pace& pace) override;

private:
    void advance(RankId rank);
    void start_head(RankId rank, std::uint32_t stream);
    void start_kernel(RankId rank, std::uint32_t stream, const workload::Task& task);
    void arrive(RankId rank, std::uint32_t stream, const workload::Task& task);
    void check_same(CommunicatorId communicator, RankId rank,
                    const workload::Collective& asked) const;
    void start_collective(CommunicatorId communicator);
    void start_phase(CommunicatorId communicator);
    void enter_chunks(CommunicatorId communicator, RankId rank);
    void start_chunks(CommunicatorId communicator);
    void chunk_ended(std::uint64_t token);
    void leave_chunks(CommunicatorId communicator);
    engine::ActivityId start(const engine::Activity& activity);
    void flow_ended(CommunicatorId communicator);
    void end_collective(CommunicatorId communicator);
    void settle(const Port& port);
    void leave(const Port& port);
    void close_meeting(CommunicatorId communicator);
    void end_head(RankId rank, std::uint32_t stream);
    void rank_ended_step(std::uint32_t step);
    void open_window();
    void close_window();
    void record_what_runs();
    void hold(RankId rank, int sms);
    void start_copy(RankId rank, std::uint32_t stream, const workload::Task& task);
    void settle_task(RankId rank, std::uint32_t stream);
    void settle_copy(RankId rank, std::uint32_t stream, const workload::Task& task);
    void audit_kernel(RankId rank, std::uint32_t stream) const;
    void audit_collective(const Meeting& meeting, CommunicatorId communicator) const;
    void watch_start(engine::ActivityId id, const engine::Activity& activity);
    void watch_waits(CommunicatorId communicator, RankId last);
    void watch_memory(RankId rank, std::uint32_t stream);
    void watch_task_end(RankId rank, std::uint32_t stream);
    void watch_collective_end(CommunicatorId communicator);
    void charge(RankId rank);
    [[nodiscard]] Charge classify(RankId rank) const;
    [[nodiscard]] Standing standing() const { return {graph_, progress_, rendezvous_}; }
    [[nodiscard]] workload::Purpose purpose(CommunicatorId communicator) const
    {
        return graph_.communicators[communicator.index()].purpose;
    }

    const Instances& instances_;
    const workload::TaskGraph& graph_;
    engine::Engine& engine_;
    std::uint32_t steps_;
    Lowering& lowering_;
    Progress progress_;
    Rendezvous rendezvous_;
    Ledger ledger_;
    ServedWindow window_;
    Fingerprint fingerprint_;
    TimelineRecorder* recorder_;
    std::optional<Audit> audit_;
    std::optional<Watch> watch_;
    std::optional<LiveRoutes> live_routes_;  ///< absent when routes are planned beforehand
    std::uint64_t activities_ = 0;
    std::vector<std::uint32_t> ranks_left_;  ///< by step: ranks that have not ended it
    std::vector<Time> launched_;             ///< by rank: its compute kernel's launch ends then
    std::vector<int> held_sms_;              ///< by rank: asked for by its running collectives
    bool done_ = false;
};

}  // namespace sim::replay
