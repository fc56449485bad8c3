#include "memory/address_map.hpp"

#include <bit>

#include "core/contract.hpp"
#include "core/random.hpp"
#include "spec/dram_mapping.hpp"

namespace sim::memory
{

namespace
{

int log2_of(std::uint64_t value)
{
    SIM_EXPECT(std::has_single_bit(value));
    return std::countr_zero(value);
}

std::uint64_t low_bits(int bits) { return (std::uint64_t{1} << bits) - 1; }

}  // namespace

AddressMap::AddressMap(const spec::DramSpec& dram, int stacks)
    : capacity_{static_cast<std::uint64_t>(spec::bank_capacity(dram).base()) *
                static_cast<std::uint64_t>(stacks)},
      channels_{static_cast<std::uint64_t>(dram.channels) * static_cast<std::uint64_t>(stacks)},
      interleave_{static_cast<std::uint64_t>(dram.mapping.channel_interleave.base())},
      permute_{dram.mapping.permute}
{
    const auto order = spec::address_order(dram);
    SIM_EXPECT(order.complaint.empty());
    burst_shift_ = log2_of(static_cast<std::uint64_t>(spec::burst_bytes(dram).base()));
    const int bank = log2_of(static_cast<std::uint64_t>(dram.banks_per_group));
    const int group = log2_of(static_cast<std::uint64_t>(dram.bank_groups));
    const int rank = log2_of(static_cast<std::uint64_t>(dram.ranks));
    bank_bits_ = bank + group;
    int shift = burst_shift_;
    for (const auto& part : order.fields) {
        const auto mask = low_bits(part.bits);
        switch (part.field) {
            case spec::AddressField::bank:
                slices_[3] = {shift, mask, 0};
                break;
            case spec::AddressField::group:
                slices_[2] = {shift, mask, bank};
                break;
            case spec::AddressField::rank:
                slices_[1] = {shift, mask, bank + group};
                break;
            case spec::AddressField::pseudo:
                slices_[0] = {shift, mask, bank + group + rank};
                break;
            case spec::AddressField::row:
                row_shift_ = shift;
                break;
            case spec::AddressField::column:
                break;
        }
        shift += part.bits;
    }
}

std::uint64_t AddressMap::rotated(std::uint64_t turn, std::uint64_t place) const
{
    return (place + mix(0, turn) % channels_) % channels_;
}

Location AddressMap::locate(std::uint64_t address) const
{
    const auto block = address / interleave_;
    const auto turn = block / channels_;
    const auto place = block % channels_;
    const auto local = turn * interleave_ + address % interleave_;
    const auto row = local >> row_shift_;
    std::uint64_t bank = 0;
    for (const auto& slice : slices_) {
        bank |= ((local >> slice.shift) & slice.mask) << slice.to;
    }
    if (permute_) {
        bank ^= row & low_bits(bank_bits_);
    }
    return {static_cast<std::uint32_t>(permute_ ? rotated(turn, place) : place),
            static_cast<std::uint32_t>(bank), static_cast<std::int32_t>(row)};
}

}  // namespace sim::memory
