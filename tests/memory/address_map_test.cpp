#include "memory/address_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "memory/devices.hpp"

namespace sim::memory
{
namespace
{

// 16 channels x 2 pseudo-channels x 2 ranks x 4 groups x 4 banks, 1 KiB rows, bursts of 32 B.

TEST(AddressMap, FieldsFollowTheOrderNamed)
{
    const AddressMap map{hbm3(), 1};
    // Inside a channel, from bit 5 on: group 2, pseudo 1, column 5, rank 1, bank 2, row. With 256 B
    // a channel, the bits above 8 stand 4 higher in the address.
    const auto zero = map.locate(0);
    EXPECT_EQ(zero.channel, 0U);
    EXPECT_EQ(zero.bank, 0U);
    EXPECT_EQ(map.locate(1U << 5U).bank, 4U);   // the next group
    EXPECT_EQ(map.locate(1U << 7U).bank, 32U);  // the other pseudo-channel
    EXPECT_EQ(map.locate(1U << 8U).channel, 1U);
    EXPECT_EQ(map.locate(1U << 17U).bank, 16U);  // the other rank
    EXPECT_EQ(map.locate(1U << 18U).bank, 1U);   // the next bank
    EXPECT_EQ(map.locate(1U << 20U).row, 1);
}

TEST(AddressMap, EveryPlaceIsMetOnce)
{
    for (const auto permutation :
         {spec::Permutation::none, spec::Permutation::row, spec::Permutation::column}) {
        auto dram = hbm3();
        dram.mapping.permutation = permutation;
        dram.channels = 3;  // no power of two
        dram.rows = 64;
        dram.capacity = spec::bank_capacity(dram);
        const AddressMap map{dram, 1};
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, int> times;
        for (std::uint64_t address = 0; address < map.capacity(); address += 32) {
            const auto place = map.locate(address);
            ASSERT_LT(place.channel, 3U);
            ASSERT_LT(place.bank, 64U);
            ASSERT_LT(place.row, 64);
            ++times[{place.channel, place.bank, place.row}];
        }
        EXPECT_EQ(times.size(), 3U * 64 * 64);
        for (const auto& [place, count] : times) {
            ASSERT_EQ(count, 32);  // the bursts of one row
        }
    }
}

TEST(AddressMap, APermutedStrideOfRowsMeetsEveryBankOfItsRank)
{
    auto dram = hbm3();
    dram.mapping.permutation = spec::Permutation::row;
    const AddressMap map{dram, 1};
    std::set<std::uint32_t> banks;
    for (std::uint64_t row = 0; row < 16; ++row) {
        banks.insert(map.locate(row << 20U).bank);
    }
    EXPECT_EQ(banks.size(), 16U);
}

}  // namespace
}  // namespace sim::memory
