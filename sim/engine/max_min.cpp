#include "engine/max_min.hpp"

#include <limits>

#include "core/contract.hpp"

namespace sim::engine
{

std::uint32_t MaxMin::add_resource(double capacity)
{
    rows_.emplace_back().capacity = capacity;
    return static_cast<std::uint32_t>(rows_.size() - 1);
}

void MaxMin::mark_dirty(std::uint32_t resource)
{
    auto& row = rows_[resource];
    if (!row.dirty) {
        row.dirty = true;
        dirty_.push_back(resource);
    }
}

void MaxMin::set_capacity(std::uint32_t resource, double capacity)
{
    auto& row = rows_[resource];
    if (row.capacity == capacity) {
        return;
    }
    row.capacity = capacity;
    if (!row.claims.empty()) {
        mark_dirty(resource);
    }
}

void MaxMin::define(Slot slot, const Terms& terms)
{
    if (slot >= flows_.size()) {
        flows_.resize(slot + std::size_t{1});
    }
    auto& flow = flows_[slot];
    flow.share = terms.share;
    flow.cap = terms.rate_cap / terms.share;
    flow.level = 0;
    flow.offset = arena_.take(terms.uses.size());
    auto block = arena_.block(flow.offset, terms.uses.size());
    std::uint32_t count = 0;
    for (const auto& use : terms.uses) {
        if (use.consumption == 0) {
            continue;
        }
        auto& mark = rows_[use.resource.index()].mark;
        if (mark < count && block[mark].resource == use.resource.index()) {
            block[mark].consumption += use.consumption;
            continue;
        }
        mark = count;
        block[count++] = {use.resource.index(), 0, use.consumption};
    }
    // The block goes back by its count, so that must be of the size class it was taken with.
    if (count != terms.uses.size()) {
        const auto larger = flow.offset;
        flow.offset = arena_.take(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            arena_.at(flow.offset + i) = arena_.at(larger + i);
        }
        arena_.give_back(larger, terms.uses.size());
    }
    flow.count = count;
}

void MaxMin::attach(Slot slot)
{
    auto& flow = flows_[slot];
    flow.attached = flow.fresh = true;
    fresh_.push_back(slot);
    std::uint32_t index = 0;
    for (auto& crossing : crossings_of(flow)) {
        auto& claims = rows_[crossing.resource].claims;
        crossing.position = static_cast<std::uint32_t>(claims.size());
        claims.push_back({crossing.consumption * flow.share, flow.cap, slot, index++});
    }
}

void MaxMin::remove(Slot slot, double moved)
{
    auto& flow = flows_[slot];
    if (flow.attached) {
        for (const auto& crossing : crossings_of(flow)) {
            auto& row = rows_[crossing.resource];
            row.booked += crossing.consumption * moved;
            const auto last = row.claims.back();
            row.claims.pop_back();
            if (crossing.position != row.claims.size()) {
                row.claims[crossing.position] = last;
                arena_.at(flows_[last.slot].offset + last.index).position = crossing.position;
            }
            if (row.claims.empty()) {
                row.level = kUnlimited;
            } else if (row.level != kUnlimited) {
                mark_dirty(crossing.resource);
            }
        }
    }
    arena_.give_back(flow.offset, flow.count);
    flow.attached = flow.fresh = false;
}

std::span<const Crossing> MaxMin::crossings(Slot slot) const
{
    return arena_.block(flows_[slot].offset, flows_[slot].count);
}

bool MaxMin::is_unlimited(Slot slot) const
{
    if (flows_[slot].cap != kUnlimited) {
        return false;
    }
    for (const auto& crossing : crossings(slot)) {
        if (rows_[crossing.resource].capacity != kUnlimited) {
            return false;
        }
    }
    return true;
}

std::span<const MaxMin::Slot> MaxMin::solve()
{
    changed_.clear();
    for (const auto slot : fresh_) {
        // A slot freed and taken again within the instant is listed twice.
        if (flows_[slot].fresh) {
            flows_[slot].fresh = false;
            flows_[slot].before = std::numeric_limits<double>::quiet_NaN();
            note(slot);
            bound_by_being_alone(slot);
        }
    }
    // Until here `changed_` lists the new flows.
    for (const auto slot : changed_) {
        if (!fits(slot)) {
            open(slot, 0);
        }
    }
    fresh_.clear();
    for (const auto resource : dirty_) {
        rows_[resource].dirty = false;
        enqueue(resource, 0);
    }
    dirty_.clear();
    sweep();
    return finish();
}

std::span<const MaxMin::Slot> MaxMin::finish()
{
    std::size_t kept = 0;
    for (const auto slot : changed_) {
        auto& flow = flows_[slot];
        flow.listed = false;
        if (flow.level != flow.before) {
            changed_[kept++] = slot;
        }
    }
    changed_.resize(kept);
    return changed_;
}

}  // namespace sim::engine
