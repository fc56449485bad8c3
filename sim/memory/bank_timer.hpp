#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "memory/dram_clocks.hpp"

namespace sim::memory
{

inline constexpr int kMostBanks = 64;
inline constexpr int kMostRanks = 8;
inline constexpr std::int32_t kClosed = -1;
inline constexpr Clock kNever = INT64_MAX / 4;

/// Banks of one pseudo-channel.
struct BankShape {
    int ranks = 1;
    int groups = 1;  ///< of one rank
    int banks_per_group = 1;
    bool independent_ranks = false;

    [[nodiscard]] int banks() const { return ranks * groups * banks_per_group; }
};

/// Which rule held a command back.
enum class Bound : std::uint8_t { arrival, turnaround, bank_group, row_cycle, window, refresh };
inline constexpr int kBounds = 6;

/// The earliest clock at which each command is legal on one pseudo-channel, from the commands
/// issued so far. Bank b is (rank * groups + group) * banks_per_group + bank. Knows no queue and
/// no policy; a test shows every rule tight: illegal one clock before, legal at it.
class BankTimer
{
public:
    BankTimer(const DramClocks& clocks, const BankShape& shape);

    [[nodiscard]] std::int32_t open_row(int bank) const { return banks_[bank].row; }
    [[nodiscard]] Clock column_at(int bank, Access access) const
    {
        return std::max({banks_[bank].column_ok[access], groups_[group_of(bank)].column_ok[access],
                         ranks_[rank_of(bank)].column_ok[access]});
    }
    [[nodiscard]] Clock activate_at(int bank) const
    {
        return std::max({banks_[bank].activate_ok, groups_[group_of(bank)].activate_ok,
                         window_at(window_of(bank))});
    }
    /// The same in its parts: what the bank itself allows, and what it shares with others.
    [[nodiscard]] Clock bank_ready_at(int bank) const { return banks_[bank].activate_ok; }
    [[nodiscard]] Clock group_ready_at(int bank) const
    {
        return groups_[group_of(bank)].activate_ok;
    }
    [[nodiscard]] Clock window_ready_at(int bank) const { return window_at(window_of(bank)); }
    [[nodiscard]] Clock precharge_at(int bank) const { return banks_[bank].precharge_ok; }
    [[nodiscard]] int rank_of(int bank) const { return bank >> rank_shift_; }

    /// Which rule made `at` the earliest column command of the bank.
    [[nodiscard]] Bound column_bound(int bank, Access access, Clock at) const;

    void activate(int bank, std::int32_t row, Clock at);
    void precharge(int bank, Clock at);
    void column(int bank, Access access, Clock at);
    /// Nobody may use the data pins before `at`: an error-correction read came between.
    void hold_pins(Clock at);
    /// Closes every bank of the rank (every rank, when they are not independent) and refreshes it
    /// from `at` on for `length`.
    void refresh_all(int rank, Clock at, Clock length);
    void refresh_bank(int bank, Clock at, Clock length);

private:
    /// Together in one cache line: a command reads and writes most of it.
    struct Bank {
        Clock activate_ok = 0;
        Clock precharge_ok = 0;
        std::array<Clock, 2> column_ok{};
        std::int32_t row = kClosed;
        Bound opened_by = Bound::row_cycle;  ///< what held the last activate back
        bool refreshed = false;              ///< since the last activate
    };
    struct Group {
        Clock activate_ok = 0;
        std::array<Clock, 2> column_ok{};
    };
    struct Rank {
        std::array<Clock, 2> column_ok{};
    };
    struct Window {
        std::array<Clock, 4> last{};  ///< when each of the last four activates leaves tFAW
        Clock spaced = 0;
        int oldest = 0;
    };

    [[nodiscard]] int group_of(int bank) const { return bank >> group_shift_; }
    [[nodiscard]] int window_of(int bank) const
    {
        return shape_.independent_ranks ? rank_of(bank) : 0;
    }
    [[nodiscard]] Clock window_at(int window) const
    {
        const auto& w = windows_[window];
        return std::max(w.spaced, w.last[w.oldest]);
    }

    DramClocks clocks_;
    BankShape shape_;
    int group_shift_ = 0;
    int rank_shift_ = 0;
    Access last_access_ = kRead;
    std::array<Bank, kMostBanks> banks_{};
    std::array<Group, kMostBanks> groups_{};
    std::array<Rank, kMostRanks> ranks_{};
    std::array<Window, kMostRanks> windows_{};
};

}  // namespace sim::memory
