#include "memory/address_map.hpp"

#include <bit>

#include "core/contract.hpp"
#include "core/random.hpp"
#include "spec/dram_mapping.hpp"

namespace sim::memory
{

namespace
{

using spec::AddressField;
using spec::Permutation;

constexpr std::array kFields{AddressField::pseudo, AddressField::rank, AddressField::group,
                             AddressField::bank};

constexpr std::uint64_t kShuffled = 64;  ///< rounds over the channels

std::uint64_t low_bits(int bits) { return (std::uint64_t{1} << bits) - 1; }

int bits_of(const spec::AddressOrder& order, AddressField field)
{
    for (const auto& part : order.fields) {
        if (part.field == field) {
            return part.bits;
        }
    }
    return 0;
}

}  // namespace

AddressMap::AddressMap(const spec::DramSpec& dram, int stacks)
    : capacity_{static_cast<std::uint64_t>(spec::bank_capacity(dram).base()) *
                static_cast<std::uint64_t>(stacks)},
      permutation_{dram.mapping.permutation}
{
    const auto divisor = [](std::uint64_t by) {
        return Divisor{by, std::has_single_bit(by) ? std::countr_zero(by) : -1};
    };
    channels_ =
        divisor(static_cast<std::uint64_t>(dram.channels) * static_cast<std::uint64_t>(stacks));
    interleave_ = divisor(static_cast<std::uint64_t>(dram.mapping.channel_interleave.base()));
    if (permutation_ == Permutation::row) {
        shuffled_turns_ = capacity_ / interleave_.by / channels_.by / kShuffled * kShuffled;
    }
    place_fields(dram);
}

void AddressMap::place_fields(const spec::DramSpec& dram)
{
    const auto order = spec::address_order(dram);
    SIM_EXPECT(order.complaint.empty());
    const int bank = bits_of(order, AddressField::bank);
    const int group = bits_of(order, AddressField::group);
    const int rank = bits_of(order, AddressField::rank);
    const std::array to{bank + group + rank, bank + group, bank, 0};
    int shift = std::countr_zero(static_cast<std::uint64_t>(spec::burst_bytes(dram).base()));
    int mixed = 0;
    int column_bits = 0;
    std::size_t column_part = 0;
    for (const auto& part : order.fields) {
        if (part.field == AddressField::column) {
            columns_[column_part++] = {shift, low_bits(part.bits), column_bits, 0, false};
            column_bits += part.bits;
        } else if (part.field == AddressField::row) {
            row_shift_ = shift;
        }
        for (std::size_t f = 0; f < kFields.size(); ++f) {
            if (part.field == kFields[f]) {
                const bool inner =
                    part.field == AddressField::bank || part.field == AddressField::group;
                const bool permuted = permutation_ == Permutation::column ||
                                      (permutation_ == Permutation::row && inner);
                slices_[f] = {shift, low_bits(part.bits), to[f], mixed, permuted};
                mixed += permuted ? part.bits : 0;
            }
        }
        shift += part.bits;
    }
}

/// Each step adds to one part what a hash says of the other, so each can be undone.
AddressMap::Block AddressMap::shuffled(Block block) const
{
    const auto group = block.turn / kShuffled;
    auto turn = block.turn % kShuffled;
    auto channel = block.channel;
    const auto around = [&](std::uint64_t value) {
        return value - channels_.quotient(value) * channels_.by;
    };
    channel = around(channel + (mix(group, turn) >> 40U));
    turn = (turn + mix(group, channel)) % kShuffled;
    channel = around(channel + (mix(~group, turn) >> 40U));
    return {group * kShuffled + turn, channel};
}

Location AddressMap::locate(std::uint64_t address) const
{
    const auto number = interleave_.quotient(address);
    Block block{channels_.quotient(number), 0};
    block.channel = number - block.turn * channels_.by;
    if (block.turn < shuffled_turns_) {
        block = shuffled(block);
    }
    const auto local = block.turn * interleave_.by + (address - number * interleave_.by);
    const auto row = local >> row_shift_;
    std::uint64_t other = 0;
    if (permutation_ == Permutation::row) {
        other = row;
    } else if (permutation_ == Permutation::column) {
        for (const auto& column : columns_) {
            other |= ((local >> column.shift) & column.mask) << column.to;
        }
    }
    std::uint64_t bank = 0;
    for (const auto& slice : slices_) {
        const auto mixed = slice.permuted ? other >> slice.mixed : 0;
        bank |= (((local >> slice.shift) ^ mixed) & slice.mask) << slice.to;
    }
    return {static_cast<std::uint32_t>(block.channel), static_cast<std::uint32_t>(bank),
            static_cast<std::int32_t>(row)};
}

}  // namespace sim::memory
