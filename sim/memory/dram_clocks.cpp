#include "memory/dram_clocks.hpp"

#include <algorithm>
#include <cmath>

namespace sim::memory
{

namespace
{

/// A term that is a whole number of clocks in the table must stay it: 14.144 ns / 0.416 ns is not
/// quite 34.
constexpr double kRounding = 1e-3;

Clock nearest_clocks(Time time, Time clock)
{
    return std::max<Clock>(1, std::llround(time / clock));
}

}  // namespace

Clock clocks_up(Time time, Time clock)
{
    return static_cast<Clock>(std::ceil(time / clock - kRounding));
}

DramClocks dram_clocks(const spec::DramSpec& dram)
{
    const auto& t = dram.timing;
    const auto up = [&](Time time) { return clocks_up(time, t.tCK); };
    const Time burst = spec::burst_bytes(dram) / (dram.pin_rate * dram.width_bits);

    DramClocks c;
    c.burst = nearest_clocks(burst, t.tCK);
    c.read_latency = up(t.tCL) + c.burst;
    c.activate_to_column = {up(t.tRCD_read), up(t.tRCD_write)};
    const auto short_gap = std::max(c.burst, up(t.tCCD_S));
    c.column_to_column_s = {short_gap, short_gap};
    c.column_to_column_l = {up(t.tCCD_L), up(t.tCCD_L_write.value_or(t.tCCD_L))};
    c.rank_switch = std::max<Clock>(0, up(t.tCCD_R.value_or(t.tCCD_S)) - short_gap);
    c.read_to_write = t.tRTW ? up(*t.tRTW) : up(t.tCL) + c.burst + 2 - up(t.tCWL);
    c.write_to_read_s = up(t.tCWL) + c.burst + up(t.tWTR_S);
    c.write_to_read_l = up(t.tCWL) + c.burst + up(t.tWTR_L);
    c.write_to_read_rank = std::max(c.burst, up(t.tCWL) + c.burst + c.rank_switch - up(t.tCL));
    c.column_to_precharge = {up(t.tRTP), up(t.tCWL) + c.burst + up(t.tWR)};
    c.activate_to_activate = up(t.tRC);
    c.activate_to_activate_s = up(t.tRRD_S);
    c.activate_to_activate_l = up(t.tRRD_L);
    c.four_activates = up(t.tFAW);
    c.activate_to_precharge = up(t.tRAS);
    c.precharge_to_activate = up(t.tRP);
    c.refresh_all = up(t.tRFC_all);
    c.refresh_bank = up(t.tRFC_bank);
    const bool hot = dram.thermal.celsius > dram.thermal.refresh_doubles_above;
    c.refresh_interval = up(hot ? t.tREFI * 0.5 : t.tREFI);
    c.starvation = up(dram.controller.starvation);
    return c;
}

}  // namespace sim::memory
