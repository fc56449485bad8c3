#include "memory/dram_channel.hpp"

#include <bit>

#include "core/contract.hpp"

namespace sim::memory
{

namespace
{

/// Calls `visit(bank)` for every set bit.
template <class Visit>
void for_each_bank(std::uint64_t mask, Visit visit)
{
    for (; mask != 0; mask &= mask - 1) {
        visit(std::countr_zero(mask));
    }
}

bool refreshes(const ChannelPolicy& policy)
{
    return policy.refresh == spec::Refresh::per_bank || policy.refresh_pause > 0;
}

}  // namespace

ChannelPolicy channel_policy(const spec::DramSpec& dram)
{
    const auto& c = dram.controller;
    const auto clocks = dram_clocks(dram);
    ChannelPolicy policy;
    policy.pseudo_channels = dram.pseudo_channels;
    policy.read_queue = c.read_queue;
    policy.write_queue = c.write_queue;
    policy.drain_from = static_cast<int>(c.write_high * c.write_queue);
    policy.drain_to = static_cast<int>(c.write_low * c.write_queue);
    policy.opened_leave_queue = c.opened_leave_queue;
    policy.idle_drains = c.idle_drains;
    policy.page = c.page;
    policy.refresh = c.refresh;
    policy.refresh_pause = c.refresh == spec::Refresh::all_bank ? clocks.refresh_all : 0;
    if (dram.thermal.celsius > dram.thermal.throttles_above) {
        const auto idle = 1 - dram.thermal.throttled_share;
        policy.refresh_pause +=
            static_cast<Clock>(idle * static_cast<double>(clocks.refresh_interval));
    }
    policy.row_commands = dram.row_command_clocks;
    policy.bursts_per_check = dram.ecc.data_bursts_per_check;
    return policy;
}

DramChannel::DramChannel(const DramClocks& clocks, const BankShape& shape,
                         const ChannelPolicy& policy)
    : clocks_{clocks},
      shape_{shape},
      policy_{policy},
      queue_{shape.banks() * policy.pseudo_channels, policy.read_queue, policy.write_queue},
      sides_(static_cast<std::size_t>(policy.pseudo_channels), Side{clocks, shape})
{
    const int ranks = shape.independent_ranks ? shape.ranks : 1;
    for (auto& side : sides_) {
        side.refresh_due.fill(kNever);
        for (int rank = 0; rank < ranks && refreshes(policy); ++rank) {
            // Staggered, so that ranks do not stop together.
            side.refresh_due[rank] = clocks.refresh_interval * (rank + 1) / ranks;
        }
        if (policy.refresh == spec::Refresh::per_bank) {
            side.refresh_due.fill(kNever);
            side.refresh_due[0] = clocks.refresh_interval / shape.banks();
        }
        side.next_refresh = *std::min_element(side.refresh_due.begin(), side.refresh_due.end());
    }
}

void DramChannel::push(const Request& request)
{
    SIM_EXPECT(arriving_.empty() || request.arrival >= arriving_.back().arrival);
    if (admitted_ == arriving_.size()) {
        arriving_.clear();
        admitted_ = 0;
    }
    arriving_.push_back(request);
    ++waiting_outside_[request.access];
}

bool DramChannel::arrival_is_next(Clock before) const
{
    return admitted_ < arriving_.size() && arriving_[admitted_].arrival <= before &&
           queue_.has_room(arriving_[admitted_].access);
}

void DramChannel::run_until(Clock limit)
{
    for (;;) {
        const auto next = next_step();
        if (arrival_is_next(std::min(next.at, limit - 1))) {
            admit_arrivals(arriving_[admitted_].arrival);
        } else if (next.at < limit) {
            perform(next);
        } else {
            return;
        }
    }
}

Clock DramChannel::make_room(Access access)
{
    while (queue_.count(access) + waiting_outside_[access] >= queue_.most(access)) {
        const auto next = next_step();
        if (arrival_is_next(next.at)) {
            admit_arrivals(arriving_[admitted_].arrival);
        } else {
            SIM_EXPECT(next.step != Step::nothing);
            perform(next);
        }
    }
    return now_;
}

void DramChannel::admit_arrivals(Clock until)
{
    now_ = std::max(now_, until);
    while (arrival_is_next(now_)) {
        admit(arriving_[admitted_]);
        --waiting_outside_[arriving_[admitted_].access];
        ++admitted_;
    }
    choose_mode();
}

void DramChannel::admit(const Request& request)
{
    const Slot slot = queue_.add(request);
    const int index = request.bank / shape_.banks();
    const int bank = request.bank % shape_.banks();
    auto& side = sides_[index];
    const auto access = request.access;
    if (policy_.report_completions && access == kWrite) {
        completions_.push_back({now_, request.requester});
    }
    const bool hits = (side.hit[access] & bit(bank)) != 0;
    const bool waits = (side.wait[access] & bit(bank)) != 0;
    if (side.timer.open_row(bank) != request.row) {
        if (!hits && !waits) {
            set_wait(side, bank, access, slot);
            consider_activate(side, bank, access);
        }
    } else if (!waits) {
        if (!hits) {
            now_hits(side, bank, slot);
        }
    } else if (access != mode_ || now_ < precharge_at(side, bank) ||
               (side.unserved & bit(bank)) != 0) {
        stop_waiting(side, bank, access);
        now_hits(side, bank, slot);
        mark_stale(side);
    } else {
        // The row was closed for an older request before this one came.
        side.timer.precharge(bank, precharge_at(side, bank));
        classify(index, bank);
        mark_stale(side);
    }
}

/// The bank may be the next to open its row, or no longer.
void DramChannel::consider_activate(Side& side, int bank, Access access) const
{
    auto& best = side.activate;
    if (side.activate_stale || access != mode_ || side.refreshing >= 0) {
        return;
    }
    if (best.at != kNever && best.bank == bank) {
        side.activate_stale = true;
        return;
    }
    if ((side.unserved & bit(bank)) != 0) {
        return;
    }
    const auto& waiting = side.waiting[access];
    const auto at = activate_at(side, bank, access);
    if (at < best.at || (at == best.at && static_cast<std::int32_t>(waiting.age(bank) -
                                                                    waiting.age(best.bank)) < 0)) {
        best = {at, bank, access};
    }
}

void DramChannel::now_hits(Side& side, int bank, Slot slot)
{
    const auto access = queue_.at(slot).access;
    set_hit(side, bank, access, slot);
    if (side.column_stale || access != mode_ || side.refreshing >= 0) {
        side.column_stale = true;
        return;
    }
    if (const auto at = std::max(side.timer.column_at(bank, access), now_); at < side.column.at) {
        side.column = {at, bank, access};
    }
}

void DramChannel::set_hit(Side& side, int bank, Access access, Slot slot) const
{
    side.hit[access] |= bit(bank);
    side.banks[bank].hit[access] = slot;
    side.banks[bank].hit_age[access] = queue_.age(slot);
}

void DramChannel::set_wait(Side& side, int bank, Access access, Slot oldest) const
{
    stop_waiting(side, bank, access);
    side.wait[access] |= bit(bank);
    side.waiting[access].insert(bank, queue_.age(oldest));
    side.banks[bank].conflict_since[access] = now_;
    update_row_ready(side, bank, access);
}

void DramChannel::stop_waiting(Side& side, int bank, Access access)
{
    if ((side.wait[access] & bit(bank)) != 0) {
        side.wait[access] &= ~bit(bank);
        side.waiting[access].erase(bank);
    }
}

DramChannel::Next DramChannel::next_step()
{
    // The step stands in the last two bits: the smallest key is the earliest, and of equals the
    // first step, found without a branch that would be mispredicted every other time.
    const auto key = [this](Clock at, Step step) {
        return (static_cast<std::uint64_t>(std::max(at, now_)) << 2U) |
               static_cast<std::uint64_t>(step);
    };
    Next best;
    for (int index = 0; index < policy_.pseudo_channels; ++index) {
        auto& side = sides_[index];
        if (side.column_stale) {
            side.column = find_column(index);
            side.column_stale = false;
        }
        if (side.activate_stale) {
            side.activate = find_activate(index);
            side.activate_stale = false;
        }
        const auto first =
            std::min({key(side.column.at, Step::column), key(side.activate.at, Step::activate),
                      key(refresh_at(side), Step::refresh)});
        if (const auto at = static_cast<Clock>(first >> 2U); at < best.at) {
            best = {at, static_cast<Step>(first & 3U), index};
        }
    }
    return best;
}

DramChannel::Candidate DramChannel::find_column(int index) const
{
    const auto& side = sides_[index];
    Candidate best;
    std::uint32_t best_age = 0;
    const auto consider = [&](std::uint64_t mask, Access access) {
        for_each_bank(mask, [&](int bank) {
            const auto at = std::max(side.timer.column_at(bank, access), now_);
            if (at > best.at) {
                return;
            }
            const auto age = side.banks[bank].hit_age[access];
            if (at < best.at || static_cast<std::int32_t>(age - best_age) < 0) {
                best = {at, bank, access};
                best_age = age;
            }
        });
    };
    const auto other = mode_ == kRead ? kWrite : kRead;
    consider(side.refreshing < 0 ? side.hit[mode_] : side.hit[mode_] & side.unserved, mode_);
    consider(side.hit[other] & side.unserved, other);
    return best;
}

Clock DramChannel::precharge_at(const Side& side, int bank) const
{
    return std::max(
        {side.timer.precharge_at(bank), side.banks[bank].conflict_since[mode_], mode_since_});
}

void DramChannel::update_row_ready(Side& side, int bank, Access access) const
{
    auto ready = side.timer.bank_ready_at(bank);
    if (side.timer.open_row(bank) != kClosed) {
        const auto closes = std::max(
            {side.timer.precharge_at(bank), mode_since_, side.banks[bank].conflict_since[access]});
        ready = std::max(ready, closes + clocks_.precharge_to_activate);
    }
    side.banks[bank].row_ready[access] = ready;
}

Clock DramChannel::activate_at(const Side& side, int bank, Access access) const
{
    return std::max({now_, row_bus_free_, side.banks[bank].row_ready[access],
                     side.timer.group_ready_at(bank), side.timer.window_ready_at(bank)});
}

DramChannel::Candidate DramChannel::find_activate(int index) const
{
    const auto& side = sides_[index];
    Candidate best;
    if (side.refreshing >= 0) {
        return best;
    }
    auto from = std::max(now_, row_bus_free_);
    if (!shape_.independent_ranks) {
        from = std::max(from, side.timer.window_ready_at(0));
    }
    const auto& waiting = side.waiting[mode_];
    // From the oldest on, so that of equals it is taken; nobody can come before `from`.
    for (int bank = waiting.first(); bank != WaitList::kEnd && best.at > from;
         bank = waiting.after(bank)) {
        if ((side.unserved & bit(bank)) != 0) {
            continue;
        }
        if (const auto at = activate_at(side, bank, mode_); at < best.at) {
            best = {at, bank, mode_};
        }
    }
    return best;
}

void DramChannel::perform(const Next& next)
{
    now_ = next.at;
    auto& side = sides_[next.side];
    switch (next.step) {
        case Step::column:
            issue_column(side, side.column);
            break;
        case Step::activate:
            issue_activate(next.side, side.activate);
            break;
        case Step::refresh:
            begin_refresh(side);
            break;
        case Step::nothing:
            break;
    }
}

void DramChannel::mark_stale(Side& side)
{
    side.column_stale = true;
    side.activate_stale = true;
}

void DramChannel::choose_mode()
{
    const int writes = queue_.held(kWrite);
    const int reads = queue_.held(kRead);
    const bool to_writes = mode_ == kRead && writes > 0 &&
                           (writes > policy_.drain_from || (reads == 0 && policy_.idle_drains));
    const bool to_reads =
        mode_ == kWrite && reads > 0 && (writes < policy_.drain_to || writes == 0);
    if (!to_writes && !to_reads) {
        return;
    }
    mode_ = to_writes ? kWrite : kRead;
    mode_since_ = now_;
    for (auto& side : sides_) {
        for_each_bank(side.wait[mode_], [&](int bank) { update_row_ready(side, bank, mode_); });
        mark_stale(side);
    }
}

}  // namespace sim::memory
