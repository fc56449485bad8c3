#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/quantity.hpp"

namespace sim::memory
{

/// Which bytes a program touches, in which order.
struct PatternSpec {
    enum class Order {
        streams,  ///< `reads` + `writes` arrays, `interleave` bytes of one after the other
        mixed,    ///< one array in order, `reads` bursts then `writes` bursts
        random,   ///< aligned blocks of `block` bytes anywhere, reads and writes in that ratio
        strided,  ///< one burst every `stride` bytes, reads and writes in that ratio
    };

    Order order = Order::streams;
    int reads = 1;
    int writes = 0;
    Bytes interleave{};  ///< 0: one burst
    Bytes block{};       ///< 0: one burst
    Bytes stride{};
    Bytes first{};                       ///< where the first array starts
    Bytes footprint{};                   ///< of one array; 0: as large as the memory allows
    std::vector<std::uint64_t> bases{};  ///< where each array starts; empty: one after the other
    std::uint64_t seed = 1;              ///< of the random order
};

/// The pattern of a name: read, write, copy, scale, triad, streams-N, mix-R-W, random-BYTES,
/// strided-BYTES, chase. Throws InputError for another.
[[nodiscard]] PatternSpec pattern_by_name(const std::string& name);

struct Burst {
    std::uint64_t address = 0;
    bool write = false;
};

/// Walks a pattern burst by burst, for ever: arrays are started again at their ends.
class AccessPattern
{
public:
    AccessPattern(const PatternSpec& pattern, Bytes burst, std::uint64_t capacity);

    [[nodiscard]] Burst next();

private:
    [[nodiscard]] Burst next_of_streams();
    [[nodiscard]] std::uint64_t random_block();

    PatternSpec pattern_;
    std::uint64_t burst_ = 1;
    std::uint64_t array_ = 1;  ///< bytes of one array
    std::uint64_t interleave_ = 1;
    std::uint64_t block_ = 1;
    std::uint64_t stride_ = 1;
    std::uint64_t offset_ = 0;
    std::uint64_t chunk_ = 0;  ///< inside the array, of streams
    std::uint64_t base_ = 0;   ///< of the block or the stream
    std::size_t stream_ = 0;
    int turn_ = 0;           ///< of the ratio
    std::uint64_t key_ = 0;  ///< of the random order
    std::uint64_t drawn_ = 0;
};

}  // namespace sim::memory
