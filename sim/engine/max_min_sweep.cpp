#include <algorithm>

#include "core/contract.hpp"
#include "engine/max_min.hpp"

namespace sim::engine
{

namespace
{

/// Levels closer than this are one level: far above the rounding of a sum over a resource's claims,
/// far below the 1e-9 to which two engines are compared.
constexpr double kSame = 1e-13;

bool clearly_above(double a, double b) { return a > b * (1 + kSame); }

}  // namespace

bool MaxMin::Step::operator<(const Step& other) const
{
    // Reversed: the heap of <algorithm> keeps the largest in front and the sweep wants the lowest.
    if (key != other.key) {
        return key > other.key;
    }
    return is_flow != other.is_flow ? other.is_flow : index > other.index;
}

void MaxMin::push(const Step& step)
{
    heap_.push_back(step);
    std::push_heap(heap_.begin(), heap_.end());
}

MaxMin::Step MaxMin::pop()
{
    std::pop_heap(heap_.begin(), heap_.end());
    const auto step = heap_.back();
    heap_.pop_back();
    return step;
}

/// The level at which the claims fill the capacity, starting from equal parts and letting those
/// bounded lower keep their bound; kUnlimited if they cannot fill it. Claims at the row's present
/// level count as unbounded: this row is what holds them.
double MaxMin::fair_level(const Row& row)
{
    if (row.capacity == kUnlimited || row.claims.empty()) {
        return kUnlimited;
    }
    const double held_here = row.level * (1 - kSame);
    double weight = 0;
    for (const auto& claim : row.claims) {
        weight += claim.weight;
    }
    double level = row.capacity / weight;
    for (std::size_t bounded_before = 0;;) {
        std::size_t bounded = 0;
        double taken = 0;
        double rest = 0;
        for (const auto& claim : row.claims) {
            if (claim.bound < level && claim.bound < held_here) {
                taken += claim.weight * claim.bound;
                ++bounded;
            } else {
                rest += claim.weight;
            }
        }
        if (bounded == row.claims.size()) {
            return kUnlimited;
        }
        if (bounded == bounded_before) {
            return level;
        }
        // Rounding must not undo that each pass raises the level.
        level = std::max(level, (row.capacity - taken) / rest);
        bounded_before = bounded;
    }
}

void MaxMin::note(Slot slot)
{
    auto& flow = flows_[slot];
    if (!flow.listed) {
        flow.listed = true;
        changed_.push_back(slot);
    }
}

/// Queues the row for a decision at `key` or before, with its candidate to be computed again.
void MaxMin::enqueue(std::uint32_t resource, double key)
{
    auto& row = rows_[resource];
    row.stale = true;
    if (!row.queued || row.key > key) {
        row.queued = true;
        row.key = key;
        push({key, resource, false});
    }
}

/// Bounds a new flow by what it would get alone: its level can be no higher.
void MaxMin::bound_by_being_alone(Slot slot)
{
    auto& flow = flows_[slot];
    flow.level = flow.cap;
    for (const auto& crossing : crossings_of(flow)) {
        const auto& row = rows_[crossing.resource];
        flow.level = std::min(flow.level, row.capacity / row.claims[crossing.position].weight);
    }
    for (const auto& crossing : crossings_of(flow)) {
        rows_[crossing.resource].claims[crossing.position].bound = flow.level;
    }
}

/// Whether the row is not saturated and stays so with all its claims at their bounds.
bool MaxMin::has_room(const Row& row)
{
    if (row.level != kUnlimited) {
        return false;
    }
    double load = 0;
    for (const auto& claim : row.claims) {
        load += claim.weight * claim.bound;
    }
    return row.claims.size() == 1 || !clearly_above(load, row.capacity);
}

/// A new flow that fits in beside the others at the level it has alone takes nothing from them, and
/// needs no sweep: most of what runs at chunk level.
bool MaxMin::fits(Slot slot)
{
    const auto& flow = flows_[slot];
    for (const auto& crossing : crossings_of(flow)) {
        if (!has_room(rows_[crossing.resource])) {
            return false;
        }
    }
    for (const auto& crossing : crossings_of(flow)) {
        auto& row = rows_[crossing.resource];
        const double alone = row.capacity / row.claims[crossing.position].weight;
        if (!clearly_above(alone, flow.level)) {
            row.level = flow.level;
        }
    }
    return true;
}

/// The flow's level is to be found, at or above `from`.
void MaxMin::open(Slot slot, double from)
{
    auto& flow = flows_[slot];
    flow.open = true;
    ++open_count_;
    opened_.push_back(slot);
    for (const auto& crossing : crossings_of(flow)) {
        rows_[crossing.resource].claims[crossing.position].bound = flow.cap;
        enqueue(crossing.resource, from);
    }
    if (flow.cap != kUnlimited) {
        push({flow.cap, slot, true});
    }
}

/// Lets a settled flow look for a level at or above `from`.
void MaxMin::reopen(Slot slot, double from)
{
    auto& flow = flows_[slot];
    if (!flow.listed) {
        flow.before = flow.level;
    }
    note(slot);
    open(slot, from);
}

void MaxMin::settle(Slot slot, double level)
{
    auto& flow = flows_[slot];
    const bool falls = !flow.open;
    if (falls) {
        if (!flow.listed) {
            flow.before = flow.level;
        }
        note(slot);
    } else {
        flow.open = false;
        --open_count_;
    }
    flow.level = level;
    for (const auto& crossing : crossings_of(flow)) {
        auto& row = rows_[crossing.resource];
        row.claims[crossing.position].bound = level;
        if (row.queued) {
            row.stale = true;
        } else if (falls && row.level != kUnlimited && clearly_above(row.level, level)) {
            // Less load can only raise the row's level, so nothing is due there before it.
            enqueue(crossing.resource, row.level);
        }
    }
}

/// The row is saturated at `level`: every flow that has no level yet, or a higher one, gets it.
void MaxMin::fix(std::uint32_t resource, double level)
{
    auto& row = rows_[resource];
    row.queued = false;
    row.level = level;
    for (const auto& claim : row.claims) {
        const auto& flow = flows_[claim.slot];
        if (flow.open || clearly_above(claim.bound, level)) {
            settle(claim.slot, std::min(level, flow.cap));
        }
    }
}

/// Whether something that stands keeps the flow at its level.
bool MaxMin::held(const Flow& flow) const
{
    if (!clearly_above(flow.cap, flow.level)) {
        return true;
    }
    for (const auto& crossing : arena_.block(flow.offset, flow.count)) {
        if (!clearly_above(rows_[crossing.resource].level, flow.level)) {
            return true;
        }
    }
    return false;
}

/// The row no longer saturates at its level: what only it held may rise.
void MaxMin::loosen(std::uint32_t resource)
{
    auto& row = rows_[resource];
    const double from = row.level;
    row.level = kUnlimited;
    enqueue(resource, from);
    for (const auto& claim : row.claims) {
        const auto& flow = flows_[claim.slot];
        if (!flow.open && !clearly_above(from, claim.bound) && !held(flow)) {
            reopen(claim.slot, from);
        }
    }
}

void MaxMin::decide(std::uint32_t resource)
{
    auto& row = rows_[resource];
    if (row.stale) {
        row.candidate = fair_level(row);
        row.stale = false;
    }
    const double key = std::min(row.level, row.candidate);
    if (key == kUnlimited) {
        row.queued = false;
        return;
    }
    if (!heap_.empty() && key > heap_.front().key) {
        row.key = key;
        push({key, resource, false});
        return;
    }
    if (row.level == kUnlimited || clearly_above(row.level, row.candidate)) {
        fix(resource, row.candidate);
    } else if (clearly_above(row.candidate, row.level)) {
        row.queued = false;
        loosen(resource);
    } else {
        fix(resource, row.level);
    }
}

bool MaxMin::sweep_within(std::size_t budget)
{
    for (; !heap_.empty(); --budget) {
        if (budget == 0) {
            return false;
        }
        const auto step = pop();
        if (step.is_flow) {
            if (flows_[step.index].open && flows_[step.index].cap == step.key) {
                settle(step.index, step.key);
            }
        } else if (rows_[step.index].queued && rows_[step.index].key == step.key) {
            decide(step.index);
        }
    }
    return true;
}

void MaxMin::reopen_everything()
{
    heap_.clear();
    for (auto& row : rows_) {
        row.queued = false;
        row.level = kUnlimited;
    }
    for (std::uint32_t resource = 0; resource < rows_.size(); ++resource) {
        for (const auto& claim : rows_[resource].claims) {
            if (!flows_[claim.slot].open) {
                reopen(claim.slot, 0);
            }
        }
        enqueue(resource, 0);
    }
    for (const auto slot : opened_) {
        if (flows_[slot].open && flows_[slot].cap != kUnlimited) {
            push({flows_[slot].cap, slot, true});
        }
    }
}

void MaxMin::sweep()
{
    // In exact arithmetic a row is decided at most twice. Should rounding ever make rows chase each
    // other, start again from nothing known, where levels can only be found in ascending order.
    const auto budget = 1000 + 100 * (heap_.size() + rows_.size());
    if (!sweep_within(budget)) {
        reopen_everything();
        SIM_EXPECT(sweep_within(100 * budget + 100 * flows_.size()));
    }
    // Whatever is still open crosses nothing that can fill up.
    for (const auto slot : opened_) {
        if (flows_[slot].open) {
            settle(slot, flows_[slot].cap);
        }
    }
    opened_.clear();
    SIM_EXPECT(open_count_ == 0);
}

std::span<const MaxMin::Slot> MaxMin::solve_from_scratch()
{
    SIM_EXPECT(fresh_.empty() && dirty_.empty());
    changed_.clear();
    reopen_everything();
    sweep();
    return finish();
}

}  // namespace sim::engine
