#pragma once

#include <cstdint>
#include <vector>

#include "core/quantity.hpp"
#include "engine/engine.hpp"

namespace sim::replay
{

/// One hop of a ring as the engine sees it. It passes `steps` chunks, one after another.
struct ChunkHop {
    std::uint32_t from = 0;  ///< position in the communicator
    std::uint32_t to = 0;
    std::uint32_t phase = 0;
    std::uint32_t steps = 1;
    std::uint32_t first_before = 0;  ///< in ChunkPlan::before: hops that bring what it passes on
    std::uint32_t befores = 0;
    std::uint32_t ahead = 0;  ///< steps they have to be ahead of it: 1 in a chain or tree
    double amount = 0;        ///< bytes of one step
    Time latency{};
    double share = 1;
    double rate_cap = engine::kUnlimited;
    std::uint32_t first_use = 0;
    std::uint32_t uses = 0;
};

/// A collective step by step.
struct ChunkPlan {
    std::vector<ChunkHop> hops;
    std::vector<std::uint32_t> before;
    std::vector<std::vector<std::uint32_t>> after;  ///< by hop: which wait for it
    std::uint32_t members = 0;
    std::uint32_t phases = 0;
    Time launch{};  ///< the library's, before the first step of a first-phase hop
    /// [phase * members + member]: hops that begin or end at the member
    std::vector<std::vector<std::uint32_t>> hops_of;
};

/// Fills `hops_of` and `after` once the hops are there.
void index_members(ChunkPlan& plan);

/// How far a chunked collective is. Step s of a hop starts when the hop's own step s - 1 has ended,
/// the hops before have brought the chunk (step s - 1 of a ring, s of a chain or tree), and both
/// its ends have come. A member goes on to its next phase, or leaves, when all its hops of a phase
/// have passed their last step: nobody waits for members it does not talk to. Needs memory per hop,
/// not per step.
class ChunkRun
{
public:
    explicit ChunkRun(const ChunkPlan& plan);

    [[nodiscard]] const ChunkPlan& plan() const { return plan_; }

    /// The member has come.
    void enter(std::uint32_t member);
    /// The running step of the hop has ended.
    void step_ended(std::uint32_t hop);

    /// Hops whose next step is to be started now, since clear_ready().
    [[nodiscard]] const std::vector<std::uint32_t>& ready() const { return ready_; }
    void clear_ready() { ready_.clear(); }
    /// Members that have nothing left to do, since the last call.
    [[nodiscard]] std::vector<std::uint32_t> take_through();

    /// Latency of the hop's next step, launch included.
    [[nodiscard]] Time latency(std::uint32_t hop) const;
    [[nodiscard]] bool all_through() const { return through_count_ == plan_.members; }

private:
    struct Progress {
        std::uint32_t done = 0;
        bool running = false;
    };

    void next_phase(std::uint32_t member);
    void try_start(std::uint32_t hop);
    void member_ended_hop(std::uint32_t member);

    const ChunkPlan& plan_;
    std::vector<Progress> progress_;    ///< by hop
    std::vector<std::uint32_t> phase_;  ///< by member: phases it has begun
    std::vector<std::uint32_t> left_;   ///< by member: hops of its phase that have not ended
    std::vector<std::uint32_t> ready_;
    std::vector<std::uint32_t> through_;
    std::uint32_t through_count_ = 0;
};

}  // namespace sim::replay
