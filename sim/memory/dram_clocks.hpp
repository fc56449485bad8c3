#pragma once

#include <array>
#include <cstdint>

#include "spec/memory.hpp"

namespace sim::memory
{

/// Whole command clocks since the start.
using Clock = std::int64_t;

/// Indexes what differs between reads and writes.
enum Access : std::uint8_t { kRead = 0, kWrite = 1 };

/// The timing table in whole command clocks, each constraint as the distance between two commands.
struct DramClocks {
    Clock burst = 0;  ///< the data pins are taken by one access
    Clock read_latency = 0;
    std::array<Clock, 2> activate_to_column{};
    std::array<Clock, 2> column_to_column_s{};
    std::array<Clock, 2> column_to_column_l{};
    Clock rank_switch = 0;  ///< read to read of another rank, beyond column_to_column_s
    Clock read_to_write = 0;
    Clock write_to_read_s = 0;
    Clock write_to_read_l = 0;
    Clock write_to_read_rank = 0;  ///< of another rank that shares only the data pins
    std::array<Clock, 2> column_to_precharge{};
    Clock activate_to_activate = 0;  ///< of one bank
    Clock activate_to_activate_s = 0;
    Clock activate_to_activate_l = 0;
    Clock four_activates = 0;
    Clock activate_to_precharge = 0;
    Clock precharge_to_activate = 0;
    Clock refresh_all = 0;
    Clock refresh_bank = 0;
    Clock refresh_interval = 0;
    Clock starvation = 0;
};

/// Rounds every term up to whole clocks. The refresh interval is halved above the temperature at
/// which the sheet doubles the rate.
[[nodiscard]] DramClocks dram_clocks(const spec::DramSpec& dram);

/// Whole clocks that cover `time`.
[[nodiscard]] Clock clocks_up(Time time, Time clock);

}  // namespace sim::memory
