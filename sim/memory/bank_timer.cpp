#include "memory/bank_timer.hpp"

#include <bit>

#include "core/contract.hpp"

namespace sim::memory
{

namespace
{

void raise(Clock& earliest, Clock at) { earliest = std::max(earliest, at); }

}  // namespace

BankTimer::BankTimer(const DramClocks& clocks, const BankShape& shape)
    : clocks_{clocks}, shape_{shape}
{
    SIM_EXPECT(shape.banks() <= kMostBanks && shape.ranks <= kMostRanks);
    const auto shift = [](int count) { return std::countr_zero(static_cast<unsigned>(count)); };
    group_shift_ = shift(shape.banks_per_group);
    rank_shift_ = group_shift_ + shift(shape.groups);
}

Bound BankTimer::column_bound(int bank, Access access, Clock at) const
{
    const bool pins = ranks_[rank_of(bank)].column_ok[access] == at;
    if (pins && last_access_ != access) {
        return Bound::turnaround;
    }
    if (banks_[bank].column_ok[access] == at) {
        return banks_[bank].opened_by;
    }
    if (pins || groups_[group_of(bank)].column_ok[access] == at) {
        return last_access_ == access ? Bound::bank_group : Bound::turnaround;
    }
    return Bound::arrival;
}

void BankTimer::activate(int bank, std::int32_t row, Clock at)
{
    auto& opened = banks_[bank];
    auto& group = groups_[group_of(bank)].activate_ok;
    auto& window = windows_[window_of(bank)];
    SIM_EXPECT(opened.row == kClosed && at >= activate_at(bank));
    if (opened.refreshed && at == opened.activate_ok) {
        opened.opened_by = Bound::refresh;
    } else if (window_at(window_of(bank)) == at || group == at) {
        opened.opened_by = Bound::window;
    } else {
        opened.opened_by = Bound::row_cycle;
    }
    opened.refreshed = false;
    opened.row = row;
    opened.activate_ok = at + clocks_.activate_to_activate;
    opened.precharge_ok = at + clocks_.activate_to_precharge;
    opened.column_ok[kRead] = at + clocks_.activate_to_column[kRead];
    opened.column_ok[kWrite] = at + clocks_.activate_to_column[kWrite];
    group = at + clocks_.activate_to_activate_l;
    window.spaced = at + clocks_.activate_to_activate_s;
    window.last[window.oldest] = at + clocks_.four_activates;
    window.oldest = (window.oldest + 1) % 4;
}

void BankTimer::precharge(int bank, Clock at)
{
    auto& closed = banks_[bank];
    SIM_EXPECT(closed.row != kClosed && at >= closed.precharge_ok);
    closed.row = kClosed;
    raise(closed.activate_ok, at + clocks_.precharge_to_activate);
}

void BankTimer::column(int bank, Access access, Clock at)
{
    auto& group = groups_[group_of(bank)];
    SIM_EXPECT(banks_[bank].row != kClosed && at >= column_at(bank, access));
    raise(banks_[bank].precharge_ok, at + clocks_.column_to_precharge[access]);
    group.column_ok[access] = at + clocks_.column_to_column_l[access];
    if (access == kWrite) {
        raise(group.column_ok[kRead], at + clocks_.write_to_read_l);
    }
    const auto spaced = at + clocks_.column_to_column_s[access];
    for (int rank = 0; rank < shape_.ranks; ++rank) {
        auto& ok = ranks_[rank].column_ok;
        const bool other = rank != rank_of(bank);
        if (access == kRead) {
            raise(ok[kRead], other ? spaced + clocks_.rank_switch : spaced);
            raise(ok[kWrite], at + clocks_.read_to_write);
        } else {
            raise(ok[kWrite], spaced);
            raise(ok[kRead], at + (other && shape_.independent_ranks ? clocks_.write_to_read_rank
                                                                     : clocks_.write_to_read_s));
        }
    }
    last_access_ = access;
}

void BankTimer::hold_pins(Clock at)
{
    for (int q = 0; q < shape_.ranks; ++q) {
        raise(ranks_[q].column_ok[kRead], at);
        raise(ranks_[q].column_ok[kWrite], at);
    }
}

void BankTimer::refresh_all(int rank, Clock at, Clock length)
{
    for (int bank = 0; bank < shape_.banks(); ++bank) {
        if (!shape_.independent_ranks || rank_of(bank) == rank) {
            refresh_bank(bank, at, length);
        }
    }
}

void BankTimer::refresh_bank(int bank, Clock at, Clock length)
{
    banks_[bank].row = kClosed;
    banks_[bank].refreshed = true;
    raise(banks_[bank].activate_ok, at + length);
}

}  // namespace sim::memory
