#include "memory/dram_system.hpp"

#include <gtest/gtest.h>

#include "core/literals.hpp"
#include "memory/devices.hpp"

namespace sim::memory
{
namespace
{

using namespace literals;

/// Rows that reads and writes both hit, in batches of writes: a row opened for a write that is
/// still to come must not be closed when a read finds it open and older reads want another.
TEST(DramSystem, ARowOpenedForOneKindIsUsedBeforeTheOtherClosesIt)
{
    auto dram = hbm3();
    dram.channels = 4;
    dram.timing.tFAW = 15_ns;
    dram.controller.read_queue = 128;
    dram.controller.write_queue = 256;
    dram.controller.idle_drains = false;
    dram.controller.refresh = spec::Refresh::hidden;
    dram.controller.starvation = 4_us;
    dram.mapping.channel_interleave = 1_KiB;
    dram.mapping.permutation = spec::Permutation::row;
    const DramSystem system{dram, 1};
    const auto interval = system.bursts_per_interval();
    const auto result = system.flood(pattern_by_name("mix-7-3"), {interval, 8 * interval});
    EXPECT_NEAR(result.bursts / static_cast<double>(8 * interval), 1, 0.02);
    // Above two thirds of reads, which lose more to turning round: 0.92 of the pins for 2:1.
    EXPECT_GT(result.fraction, 0.85);
    EXPECT_LT(result.fraction, 1);
}

}  // namespace
}  // namespace sim::memory
