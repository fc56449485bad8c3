#pragma once

#include <cstdint>
#include <vector>

#include "core/fingerprint.hpp"
#include "core/id.hpp"
#include "engine/engine.hpp"
#include "replay/instances.hpp"
#include "replay/ledger.hpp"
#include "replay/lowering.hpp"
#include "replay/progress.hpp"
#include "replay/rendezvous.hpp"
#include "replay/waits.hpp"
#include "replay/window.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

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
    /// `steps` of the graph, at least one. The engine is new and has the instances' supplies.
    Executor(const Instances& instances, Lowering& lowering, engine::Engine& engine,
             std::uint32_t steps);

    /// Throws Error on a deadlock, with the waiting tasks.
    void run();

    [[nodiscard]] const Ledger& ledger() const { return ledger_; }
    [[nodiscard]] Lowering& lowering() { return lowering_; }
    [[nodiscard]] const std::vector<double>& served() const { return window_.served(); }
    [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_.value(); }
    [[nodiscard]] std::uint64_t activities() const { return activities_; }

    void finished(std::uint64_t token) override;
    void timer(std::uint64_t token) override;

private:
    void advance(RankId rank);
    void start_head(RankId rank, std::uint32_t stream);
    void start_kernel(RankId rank, std::uint32_t stream, const workload::Task& task);
    void arrive(RankId rank, std::uint32_t stream, const workload::Task& task);
    void check_same(CommunicatorId communicator, RankId rank,
                    const workload::Collective& asked) const;
    void start_collective(CommunicatorId communicator);
    void start_phase(CommunicatorId communicator);
    void start(const engine::Activity& activity);
    void flow_ended(CommunicatorId communicator);
    void end_collective(CommunicatorId communicator);
    void end_head(RankId rank, std::uint32_t stream);
    void rank_ended_step(std::uint32_t step);
    void open_window();
    void close_window();
    void hold(CommunicatorId communicator, int sms);
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
    std::uint64_t activities_ = 0;
    std::vector<std::uint32_t> ranks_left_;  ///< by step: ranks that have not ended it
    std::vector<Time> launched_;             ///< by rank: its compute kernel's launch ends then
    std::vector<int> held_sms_;              ///< by rank: asked for by its running collectives
    bool done_ = false;
};

}  // namespace sim::replay
