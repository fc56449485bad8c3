#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memory/dram_clocks.hpp"

namespace sim::memory
{

/// One burst on its way to a channel.
struct Request {
    Clock arrival = 0;
    std::int32_t row = 0;
    std::uint32_t requester = 0;
    std::uint16_t bank = 0;  ///< flat over the pseudo-channels
    Access access = kRead;
};

using Slot = std::uint16_t;
inline constexpr Slot kNoSlot = 0xffff;

/// What waits at one channel: a list a bank and kind of access, oldest first, in one pool.
class RequestQueue
{
public:
    RequestQueue(int banks, int read_entries, int write_entries);

    [[nodiscard]] bool has_room(Access access) const { return count_[access] < most_[access]; }
    [[nodiscard]] int count(Access access) const { return count_[access]; }
    /// Those that still hold an entry and those that gave it back.
    [[nodiscard]] int held(Access access) const { return held_[access]; }
    [[nodiscard]] int most(Access access) const { return most_[access]; }

    Slot add(const Request& request);
    void remove(Slot slot);
    /// Its entry is free for another from now on, though it is not done.
    void release(Slot slot);

    [[nodiscard]] Slot oldest(int bank, Access access) const { return lists_[bank].head[access]; }
    /// The oldest from `from` on, of the same list, that wants the row.
    [[nodiscard]] Slot next_of_row(Slot from, std::int32_t row) const
    {
        while (from != kNoSlot && entries_[from].request.row != row) {
            from = entries_[from].next;
        }
        return from;
    }
    [[nodiscard]] Slot after(Slot slot) const { return entries_[slot].next; }
    [[nodiscard]] const Request& at(Slot slot) const { return entries_[slot].request; }
    /// Grows with the order of arrival.
    [[nodiscard]] std::uint32_t age(Slot slot) const { return entries_[slot].number; }

private:
    struct Entry {
        Request request;
        std::uint32_t number = 0;
        Slot next = kNoSlot;
        Slot previous = kNoSlot;
        bool released = false;
    };
    struct Lists {
        std::array<Slot, 2> head{kNoSlot, kNoSlot};
        std::array<Slot, 2> tail{kNoSlot, kNoSlot};
    };

    std::vector<Entry> entries_;
    std::vector<Slot> free_;
    std::vector<Lists> lists_;
    std::array<int, 2> count_{};  ///< entries in use
    std::array<int, 2> held_{};   ///< requests not done
    std::array<int, 2> most_{};
    std::uint32_t added_ = 0;
};

}  // namespace sim::memory
