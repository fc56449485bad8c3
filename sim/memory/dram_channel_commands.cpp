#include <bit>

#include "core/contract.hpp"
#include "memory/dram_channel.hpp"

namespace sim::memory
{

void DramChannel::issue_column(Side& side, const Candidate& chosen)
{
    const auto access = chosen.access;
    const Clock arrival = queue_.at(side.banks[chosen.bank].hit[access]).arrival;
    account_gap(side, chosen.bank, access, now_);
    side.timer.column(chosen.bank, access, now_);
    side.unserved &= ~bit(chosen.bank);
    ++counters_.columns[access];
    if (access != last_access_) {
        ++counters_.turnarounds;
        last_access_ = access;
    }
    if (access == kRead) {
        counters_.read_latency += now_ + clocks_.read_latency - arrival;
    }
    side.pins_free = now_ + clocks_.burst;
    if (policy_.bursts_per_check > 0 && ++side.unchecked_bursts == policy_.bursts_per_check) {
        side.unchecked_bursts = 0;
        side.timer.hold_pins(side.pins_free + clocks_.burst);
    }
    serve(side, chosen, access);
    side.column_stale = true;
    choose_mode();
}

void DramChannel::account_gap(Side& side, int bank, Access access, Clock at)
{
    const Clock gap = at - side.pins_free;
    if (gap > 0) {
        counters_.lost[static_cast<int>(side.timer.column_bound(bank, access, at))] += gap;
    }
}

/// Takes the request out and finds the bank's next hit.
void DramChannel::serve(Side& side, const Candidate& chosen, Access access)
{
    const int bank = chosen.bank;
    const Slot slot = side.banks[bank].hit[access];
    const auto request = queue_.at(slot);
    if (access == kRead && policy_.report_completions) {
        completions_.push_back({now_ + clocks_.read_latency, request.requester});
    }
    Slot next = queue_.next_of_row(queue_.after(slot), request.row);
    queue_.remove(slot);
    const Slot oldest = queue_.oldest(request.bank, access);
    const bool starves =
        next != kNoSlot && oldest != next && now_ - queue_.at(oldest).arrival > clocks_.starvation;
    if (starves || policy_.page == spec::PagePolicy::single_use) {
        next = kNoSlot;
    }
    // Whoever waits for another row of this bank waits longer now.
    for (const auto waiting : {kRead, kWrite}) {
        if ((side.wait[waiting] & bit(bank)) != 0) {
            update_row_ready(side, bank, waiting);
            consider_activate(side, bank, waiting);
        }
    }
    if (next != kNoSlot) {
        set_hit(side, bank, access, next);
        return;
    }
    side.hit[access] &= ~bit(bank);
    if (oldest != kNoSlot) {
        set_wait(side, bank, access, oldest);
        consider_activate(side, bank, access);
    }
    const bool wanted = ((side.hit[kRead] | side.hit[kWrite]) & bit(bank)) != 0;
    if (policy_.page != spec::PagePolicy::open && !wanted) {
        side.timer.precharge(bank, side.timer.precharge_at(bank));
    }
}

void DramChannel::issue_activate(int index, const Candidate& chosen)
{
    auto& side = sides_[index];
    const int bank = chosen.bank;
    if (side.timer.open_row(bank) != kClosed) {
        side.timer.precharge(bank, precharge_at(side, bank));
    }
    const Slot oldest = queue_.oldest(flat(index, bank), chosen.access);
    side.timer.activate(bank, queue_.at(oldest).row, now_);
    if (policy_.opened_leave_queue) {
        queue_.release(oldest);
    }
    side.unserved |= bit(bank);
    ++counters_.activates;
    classify(index, bank);
    side.activate_stale = true;
    const auto column_at = side.timer.column_at(bank, chosen.access);
    if (!side.column_stale && column_at < side.column.at) {
        side.column = {column_at, bank, chosen.access};
    }
    if (policy_.row_commands > 0) {
        row_bus_free_ = now_ + policy_.row_commands;
        // Who comes next stays; it only comes later.
        for (auto& other : sides_) {
            other.activate.at = std::max(other.activate.at, row_bus_free_);
        }
    }
}

/// Sorts the bank's requests into hits and others, after its row changed.
void DramChannel::classify(int index, int bank)
{
    auto& side = sides_[index];
    for (const auto access : {kRead, kWrite}) {
        const Slot oldest = queue_.oldest(flat(index, bank), access);
        const auto row = side.timer.open_row(bank);
        const Slot hit = row == kClosed ? kNoSlot : queue_.next_of_row(oldest, row);
        side.hit[access] &= ~bit(bank);
        stop_waiting(side, bank, access);
        if (hit != kNoSlot) {
            set_hit(side, bank, access, hit);
        } else if (oldest != kNoSlot) {
            set_wait(side, bank, access, oldest);
        }
    }
}

Clock DramChannel::refresh_at(const Side& side) const
{
    if (side.refreshing >= 0) {
        return side.unserved == 0 ? now_ : kNever;
    }
    return side.next_refresh;
}

void DramChannel::begin_refresh(Side& side)
{
    const int index = static_cast<int>(&side - sides_.data());
    if (policy_.refresh == spec::Refresh::per_bank) {
        refresh_one_bank(index);
    } else if (side.refreshing < 0) {
        // Rows just opened are used once before they close again.
        const auto due = std::min_element(side.refresh_due.begin(), side.refresh_due.end());
        side.refreshing = static_cast<int>(due - side.refresh_due.begin());
    } else {
        refresh_rank(index, side.refreshing);
        side.refreshing = -1;
    }
    side.next_refresh = *std::min_element(side.refresh_due.begin(), side.refresh_due.end());
    mark_stale(side);
}

void DramChannel::refresh_rank(int index, int rank)
{
    auto& side = sides_[index];
    Clock start = now_;
    for (int bank = 0; bank < shape_.banks(); ++bank) {
        const bool concerned = !shape_.independent_ranks || side.timer.rank_of(bank) == rank;
        if (concerned && side.timer.open_row(bank) != kClosed) {
            start = std::max(start, std::max(now_, side.timer.precharge_at(bank)) +
                                        clocks_.precharge_to_activate);
        }
    }
    side.timer.refresh_all(rank, start, policy_.refresh_pause);
    side.refresh_due[rank] += clocks_.refresh_interval;
    ++counters_.refreshes;
    for (int bank = 0; bank < shape_.banks(); ++bank) {
        classify(index, bank);
    }
}

void DramChannel::refresh_one_bank(int index)
{
    auto& side = sides_[index];
    const int bank = side.next_refreshed_bank;
    side.next_refreshed_bank = (bank + 1) % shape_.banks();
    side.refresh_due[0] += clocks_.refresh_interval / shape_.banks();
    Clock start = std::max(now_, side.timer.precharge_at(bank));
    if (side.timer.open_row(bank) != kClosed) {
        start += clocks_.precharge_to_activate;
    }
    side.timer.refresh_bank(bank, start, clocks_.refresh_bank + policy_.refresh_pause);
    side.unserved &= ~bit(bank);
    ++counters_.refreshes;
    classify(index, bank);
}

}  // namespace sim::memory
