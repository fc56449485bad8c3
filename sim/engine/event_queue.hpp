#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sim::engine
{

/// One pending event for each activity at most, earliest first. Of those at exactly one time some
/// order is kept, the same on every machine.
///
/// A 4-ary heap of instants that knows where each is: a new time moves an activity's event instead
/// of leaving a stale one behind, so the queue is never longer than the number of running
/// activities. An instant is a ring of the slots that wait for it, and is known by one of them, its
/// head: in training most events share their instant, and joining or leaving a ring is no search.
/// Two heap entries of one time may exist (`recent_` remembers only so many); nothing needs them to
/// be one.
class EventQueue
{
public:
    using Slot = std::uint32_t;

    [[nodiscard]] bool empty() const { return instants_.empty(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] double next() const { return std::bit_cast<double>(instants_.front().key); }

    void set(Slot slot, double at);  ///< adds the event or moves it
    void erase(Slot slot);           ///< nothing happens if there is none
    Slot pop();

private:
    struct Instant {
        std::uint64_t key;  ///< the bits of the time, which is never negative, so they order as it
        Slot head;
    };
    struct Link {
        std::uint32_t place;  ///< the head's: where its instant is in the heap
        Slot next;
        Slot previous;
    };
    static constexpr std::size_t kRemembered = 1024;

    [[nodiscard]] static std::size_t remembered_at(std::uint64_t key);
    [[nodiscard]] std::size_t earliest_child(std::size_t first) const;
    void rise(std::size_t index, const Instant& instant);
    void sink(std::size_t index, const Instant& instant);
    void put(std::size_t index, const Instant& instant);
    void move(std::size_t index, const Instant& instant);
    void remove(std::size_t index);
    [[nodiscard]] bool join(std::uint64_t key, Slot slot);
    void leave(Slot slot);

    std::vector<Instant> instants_;
    std::vector<Link> links_;                    ///< by slot
    std::array<Slot, kRemembered> recent_ = {};  ///< by hash of the time, a head that may wait then
    std::size_t size_ = 0;
};

}  // namespace sim::engine
