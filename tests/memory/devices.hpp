#pragma once

#include "core/literals.hpp"
#include "spec/memory.hpp"

namespace sim::memory
{

/// HBM3 at 6.4 Gb/s: timings of Ramulator 2.1, python/ramulator/dram/hbm3.py (HBM3_6400Mbps and
/// HBM3_16Gb_8hi), in its clocks of 0.625 ns.
inline spec::DramSpec hbm3()
{
    using namespace literals;
    const auto clocks = [](double n) { return 0.625_ns * n; };
    spec::DramSpec dram;
    dram.name = "HBM3 test stack";
    dram.kind = "HBM3";
    dram.channels = 16;
    dram.pseudo_channels = 2;
    dram.ranks = 2;
    dram.bank_groups = 4;
    dram.banks_per_group = 4;
    dram.rows = 16384;
    dram.row = 1_KiB;
    dram.width_bits = 32;
    dram.burst_length = 8;
    dram.row_command_clocks = 2;
    dram.pin_rate = 6.4_Gbps;
    dram.bandwidth = 819.2_GBps;
    dram.capacity = 16_GiB;
    dram.timing = {.tCK = clocks(1),
                   .tCL = clocks(20),
                   .tCWL = clocks(10),
                   .tRCD_read = clocks(31),
                   .tRCD_write = clocks(15),
                   .tRP = clocks(26),
                   .tRAS = clocks(45),
                   .tRC = clocks(72),
                   .tCCD_S = clocks(2),
                   .tCCD_L = clocks(4),
                   .tCCD_L_write = {},
                   .tCCD_R = clocks(3),
                   .tRRD_S = clocks(4),
                   .tRRD_L = clocks(5),
                   .tFAW = clocks(24),
                   .tWR = clocks(33),
                   .tWTR_S = clocks(7),
                   .tWTR_L = clocks(10),
                   .tRTP = clocks(9),
                   .tRTW = clocks(20),
                   .tRFC_all = clocks(560),
                   .tRFC_bank = clocks(320),
                   .tREFI = clocks(6240)};
    dram.controller = {.read_queue = 64,
                       .write_queue = 64,
                       .write_high = 0.8,
                       .write_low = 0.2,
                       .page = spec::PagePolicy::open,
                       .refresh = spec::Refresh::all_bank,
                       .starvation = 10_us};
    dram.mapping = {.order = "row-bank-rank-column-pseudo-group",
                    .channel_interleave = 256_B,
                    .permutation = spec::Permutation::none};
    dram.thermal = {
        .celsius = 50, .refresh_doubles_above = 85, .throttles_above = 95, .throttled_share = 0.5};
    return dram;
}

}  // namespace sim::memory
