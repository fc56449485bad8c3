#include <gmock/gmock.h>

#include "config/fixture.hpp"
#include "config/read_memory.hpp"
#include "config/read_storage.hpp"

namespace sim::config
{
namespace
{

using testing::HasSubstr;

/// What is wrong with a memory is told at the line that says it.
class MemoryFile : public InFolder
{
protected:
    static std::string over(const std::string& device, const std::string& lines)
    {
        write("own.yaml", "extends: " + std::string{WEFTSIM_SOURCE_DIR} + "/configs/hardware/" +
                              device + "\n" + lines);
        return "own.yaml";
    }
    template <class Load>
    static std::string complaint_of(Load load)
    {
        try {
            return render(load().warnings);
        } catch (const InputError& error) {
            return render(error.diagnostics());
        }
    }
    static std::string dram(const std::string& lines)
    {
        return complaint_of([&] { return load_dram(over("memory/hbm3.yaml", lines), {}); });
    }
    static std::string ssd(const std::string& lines)
    {
        return complaint_of(
            [&] { return load_ssd(over("ssd/micron-9550-pro-7.68tb.yaml", lines), {}); });
    }
};

TEST_F(MemoryFile, ARowCycleShorterThanItsPartsIsRefused)
{
    // tRAS 28.125 ns + tRP 16.25 ns = 44.375 ns.
    EXPECT_THAT(dram("timing:\n  tRC: 44 ns\n"),
                HasSubstr("own.yaml:3:8: error: timing.tRC: is 44 ns, less than tRAS + tRP = "
                          "44.38 ns\n    3 |   tRC: 44 ns\n"));
}

TEST_F(MemoryFile, AWindowShorterThanFourActivatesIsAWarning)
{
    EXPECT_THAT(dram("timing:\n  tFAW: 9 ns\nranges: { tFAW: [9 ns, 9 ns] }\n"),
                HasSubstr("own.yaml:3:9: warning: timing.tFAW: is 9 ns, less than 4 tRRD_S = 10 "
                          "ns, and never binds"));
}

TEST_F(MemoryFile, ABandwidthThatPinsTimesRateDoNotGiveIsRefused)
{
    EXPECT_THAT(dram("bandwidth: 1.2 TB/s\n"),
                HasSubstr("own.yaml:2:12: error: bandwidth: is 1.2 TB/s, but 16 channels of 2 x 32 "
                          "pins at 6.4 Gbps give 819.2 GB/s"));
}

TEST_F(MemoryFile, NoChannelsAreRefused)
{
    EXPECT_THAT(dram("channels: 0\n"), HasSubstr("own.yaml:2:11: error: channels: is 0"));
}

TEST_F(MemoryFile, BitsThatDoNotReachTheCapacityAreRefused)
{
    EXPECT_THAT(dram("rows: 8192\n"), HasSubstr("the address bits of channels, ranks, banks, rows "
                                                "and columns reach 8 GiB"));
    EXPECT_THAT(dram("mapping:\n  order: row-bank-column-pseudo-group\n"),
                HasSubstr("own.yaml:3:10: error: mapping.order: "));
    EXPECT_THAT(dram("bank_groups: 3\n"),
                HasSubstr("own.yaml:2:14: error: bank_groups: is 3, but an address selects it by "
                          "whole bits"));
}

TEST_F(MemoryFile, AKindIsKnownByItsKeys)
{
    EXPECT_EQ(device_kind(over("memory/hbm3.yaml", ""), {}), DeviceKind::dram);
    EXPECT_EQ(device_kind(over("memory/gpu/v100.yaml", ""), {}), DeviceKind::gpu_memory);
    EXPECT_EQ(device_kind(over("ssd/seagate-es3-4tb.yaml", ""), {}), DeviceKind::hdd);
    EXPECT_EQ(device_kind(over("ssd/hbf-512gb.yaml", ""), {}), DeviceKind::ssd);
}

TEST_F(MemoryFile, ADriveWithoutSpareRoomIsRefused)
{
    EXPECT_THAT(
        ssd("capacity: 8.5 TB\n"),
        HasSubstr("own.yaml:2:11: error: capacity: is 7.731 TiB, but 8 TiB of flash less 3.8 "
                  "% in reserve leave no spare room beside it"));
}

TEST_F(MemoryFile, ADriveHasOneLink)
{
    EXPECT_THAT(ssd("link: 7 GB/s\n"), HasSubstr("one of them is due"));
}

TEST_F(MemoryFile, ADriveOfNothingDividesByNothing)
{
    EXPECT_THAT(ssd("flash:\n  channels: 0\n  tR: 0 us\n  page: 0 B\n"),
                AllOf(HasSubstr("own.yaml:3:13: error: flash.channels: is 0"),
                      HasSubstr("flash.tR"), HasSubstr("flash.page")));
}

}  // namespace
}  // namespace sim::config
