#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/engine.hpp"
#include "engine/max_min_arena.hpp"

namespace sim::engine
{

/// Max-min fair levels (rate / share) of flows over resources, kept while both change.
///
/// A resource with flows f of weight w_f = consumption x share is saturated at the level L when
/// sum w_f min(L, b_f) = capacity, b_f being what f is bounded to elsewhere. The levels are max-min
/// fair exactly when every flow is at its cap or at the level of a saturated resource it crosses.
///
/// `solve` sweeps upwards in level from what changed. Whatever happens at a level can only reach
/// higher levels, so each resource reached is decided once, and one whose level stays ends the
/// sweep there. sim/engine/README.md has the argument and what it costs.
class MaxMin
{
public:
    using Slot = std::uint32_t;  ///< chosen by the caller; small numbers, reused

    struct Terms {
        std::span<const Use> uses;
        double share;
        double rate_cap;
    };

    std::uint32_t add_resource(double capacity);
    void set_capacity(std::uint32_t resource, double capacity);

    void define(Slot slot, const Terms& terms);  ///< the flow waits, using nothing
    void attach(Slot slot);                      ///< from the next solve on it takes its part
    void remove(Slot slot, double moved);  ///< books `moved` on its resources; the slot is free

    /// Settles every level; returns the flows that got one or whose level changed, until the next
    /// call that changes anything.
    std::span<const Slot> solve();
    /// After a solve: every level again, without using the present ones. For comparison.
    std::span<const Slot> solve_from_scratch();

    [[nodiscard]] double rate(Slot slot) const { return flows_[slot].level * flows_[slot].share; }
    [[nodiscard]] double booked(std::uint32_t resource) const { return rows_[resource].booked; }
    [[nodiscard]] double capacity(std::uint32_t resource) const { return rows_[resource].capacity; }
    [[nodiscard]] double load(std::uint32_t resource) const;
    /// A resource that keeps the flow from being faster; none when its cap or nothing does.
    [[nodiscard]] std::optional<std::uint32_t> bottleneck(Slot slot) const;

    /// Neither its cap nor a resource limits the flow.
    [[nodiscard]] bool is_unlimited(Slot slot) const;

    struct Claim {
        double weight;
        double bound;  ///< the flow's level, or its cap while the sweep looks for its level
        Slot slot;
        std::uint32_t index;  ///< among the flow's crossings
    };
    [[nodiscard]] std::span<const Claim> claims(std::uint32_t resource) const
    {
        return rows_[resource].claims;
    }
    [[nodiscard]] std::span<const Crossing> crossings(Slot slot) const;
    [[nodiscard]] double share(Slot slot) const { return flows_[slot].share; }

    /// Resources with more load than capacity among those the flows cross.
    [[nodiscard]] std::optional<std::uint32_t> overloaded(std::span<const Slot> slots) const;
    /// A flow that is neither at its cap nor at the level of a saturated resource.
    [[nodiscard]] std::optional<Slot> unfair() const;

    [[nodiscard]] std::size_t arena_size() const { return arena_.capacity(); }

private:
    struct Flow {
        double level = 0;
        double cap = 0;  ///< rate cap / share
        double share = 1;
        double before = 0;  ///< the level when the present sweep first touched it; NaN for new ones
        std::uint32_t offset = 0;
        std::uint32_t count = 0;
        bool attached = false;
        bool fresh = false;   ///< attached since the last solve
        bool open = false;    ///< the sweep has yet to find its level
        bool listed = false;  ///< among `changed_`
    };
    struct Row {
        std::vector<Claim> claims;
        double capacity = 0;
        double level = kUnlimited;  ///< kUnlimited when not saturated
        double booked = 0;
        double key = 0;          ///< of its one valid entry in the heap
        double candidate = 0;    ///< the level its capacity allows, as last computed
        std::uint32_t mark = 0;  ///< scratch of `define`
        bool queued = false;
        bool stale = false;  ///< the candidate is to be computed again
        bool dirty = false;
    };
    struct Step {
        double key;
        std::uint32_t index;
        bool is_flow;
        [[nodiscard]] bool operator<(const Step& other) const;
    };

    [[nodiscard]] std::span<Crossing> crossings_of(const Flow& flow)
    {
        return arena_.block(flow.offset, flow.count);
    }
    void mark_dirty(std::uint32_t resource);
    void bound_by_being_alone(Slot slot);
    [[nodiscard]] static bool has_room(const Row& row);
    [[nodiscard]] bool fits(Slot slot);
    void reopen_everything();
    void sweep();
    [[nodiscard]] bool sweep_within(std::size_t budget);
    void decide(std::uint32_t resource);
    void fix(std::uint32_t resource, double level);
    void loosen(std::uint32_t resource);
    void open(Slot slot, double from);
    void reopen(Slot slot, double from);
    void settle(Slot slot, double level);
    void note(Slot slot);
    void enqueue(std::uint32_t resource, double key);
    void push(const Step& step);
    Step pop();
    [[nodiscard]] bool held(const Flow& flow) const;
    [[nodiscard]] static double fair_level(const Row& row);
    std::span<const Slot> finish();

    std::vector<Flow> flows_;
    std::vector<Row> rows_;
    CrossingArena arena_;
    std::vector<Slot> fresh_;
    std::vector<std::uint32_t> dirty_;
    std::vector<Slot> opened_;
    std::vector<Slot> changed_;
    std::vector<Step> heap_;
    std::size_t open_count_ = 0;
};

}  // namespace sim::engine
