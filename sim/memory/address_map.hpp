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
/// Blocks of `channel_interleave` bytes go around the channels of all stacks. Inside a channel the
/// fields follow the order named in the spec. The permutation XORs other bits into the bank, so
/// that equal offsets in different rows lie in different banks; with that of the row, blocks are
/// also hashed over the channels, as GPUs do: 64 rounds are shuffled among themselves, one to one.
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
        int to = 0;     ///< where the bits go in the flat bank number
        int mixed = 0;  ///< which bit of the permuting field is XORed into the lowest one
        bool permuted = false;
    };
    /// Division by a number that is mostly a power of two.
    struct Divisor {
        std::uint64_t by = 1;
        int shift = -1;

        [[nodiscard]] std::uint64_t quotient(std::uint64_t value) const
        {
            return shift >= 0 ? value >> shift : value / by;
        }
    };

    struct Block {
        std::uint64_t turn = 0;
        std::uint64_t channel = 0;
    };

    [[nodiscard]] Block shuffled(Block block) const;
    void place_fields(const spec::DramSpec& dram);

    std::uint64_t capacity_ = 0;
    std::uint64_t shuffled_turns_ = 0;  ///< whole groups of rounds, from 0
    Divisor channels_{};
    Divisor interleave_{};
    std::array<Slice, 4> slices_{};
    std::array<Slice, 2> columns_{};  ///< the low and the high part of the column
    int row_shift_ = 0;
    spec::Permutation permutation_ = spec::Permutation::none;
};

}  // namespace sim::memory
