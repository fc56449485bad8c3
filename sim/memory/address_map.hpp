#pragma once

#include <array>
#include <cstdint>

#include "spec/memory.hpp"

namespace sim::memory
{

/// Where one burst lies.
struct Location {
    std::uint32_t channel = 0;
    std::uint32_t bank = 0;  ///< flat: ((pseudo * ranks + rank) * groups + group) * banks + bank
    std::int32_t row = 0;
};

/// Byte address to channel, bank and row.
///
/// Blocks of `channel_interleave` bytes go around the channels of all stacks; with `permute` the
/// round starts elsewhere in every turn, so that a stride of whole turns still meets every channel.
/// Inside a channel the fields follow the order named in the spec; with `permute` bank and group
/// are XORed with the low bits of the row, so that equal offsets in different rows lie in
/// different banks.
class AddressMap
{
public:
    AddressMap(const spec::DramSpec& dram, int stacks);

    [[nodiscard]] Location locate(std::uint64_t address) const;
    [[nodiscard]] std::uint64_t capacity() const { return capacity_; }

private:
    struct Slice {
        int shift = 0;
        std::uint64_t mask = 0;
        int to = 0;  ///< where the bits go in the flat bank number
    };

    [[nodiscard]] std::uint64_t rotated(std::uint64_t turn, std::uint64_t place) const;

    std::uint64_t capacity_ = 0;
    std::uint64_t channels_ = 1;
    std::uint64_t interleave_ = 1;
    std::array<Slice, 4> slices_{};  ///< pseudo, rank, group, bank
    int row_shift_ = 0;
    int burst_shift_ = 0;
    int bank_bits_ = 0;  ///< of bank and group, those the row may permute
    bool permute_ = false;
};

}  // namespace sim::memory
