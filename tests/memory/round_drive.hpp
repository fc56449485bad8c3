#pragma once

#include "core/literals.hpp"
#include "spec/ssd.hpp"

namespace sim::memory
{

/// Round numbers: 4 channels of 1 GB/s, 8 dies each of 2 planes of 16 KiB, 64 GiB a die.
inline spec::SsdSpec round_drive()
{
    using namespace literals;
    spec::SsdSpec ssd;
    ssd.name = "test drive";
    ssd.flash = {.channels = 4,
                 .dies = 8,
                 .planes = 2,
                 .reads_at_once = 2,
                 .page = 16_KiB,
                 .pages_per_block = 1000,
                 .die = 64_GiB,
                 .tR = 50_us,
                 .tPROG = 500_us,
                 .tERASE = 5_ms,
                 .bus = 1_GBps,
                 .read_unit = 4_KiB};
    ssd.controller = {.read_latency = 10_us,
                      .write_latency = 20_us,
                      .flash_write = {},
                      .commands = {},
                      .map_misses = 0};
    ssd.link = 8_GBps;
    ssd.capacity = 2_TB;
    ssd.endurance = {.drive_writes_per_day = 1, .years = 5};
    return ssd;
}

}  // namespace sim::memory
