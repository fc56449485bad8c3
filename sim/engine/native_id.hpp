#pragma once

#include <cstdint>

namespace sim::engine
{

/// An activity's handle: its sequence number above the slot it lives in, so that handles compare in
/// the order of starting and lead to their slot without a search.
/// 2^24 activities may be alive at once and 2^40 may be started in a run.
inline constexpr unsigned kSlotBits = 24;
inline constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << kSlotBits;
inline constexpr std::uint64_t kMaxSequence = std::uint64_t{1} << (64 - kSlotBits);

constexpr std::uint64_t make_handle(std::uint64_t sequence, std::uint32_t slot)
{
    return (sequence << kSlotBits) | slot;
}
constexpr std::uint32_t slot_of(std::uint64_t handle)
{
    return static_cast<std::uint32_t>(handle & (kMaxSlots - 1));
}

}  // namespace sim::engine
