#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sim::engine
{

/// One pending event for each activity at most, earliest first, equal times in handle order.
///
/// A 4-ary heap that knows where each activity's event is: a new time moves the event instead of
/// leaving a stale one behind, so the queue is never longer than the number of running activities.
class EventQueue
{
public:
    [[nodiscard]] bool empty() const { return nodes_.empty(); }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] double next() const { return std::bit_cast<double>(nodes_.front().key); }

    void set(std::uint64_t handle, double at);  ///< adds the event or moves it
    void erase(std::uint64_t handle);           ///< nothing happens if there is none
    std::uint64_t pop();

private:
    __extension__ using Wide = unsigned __int128;

    struct Node {
        std::uint64_t key;  ///< the bits of the time, which is never negative, so they order as it
        std::uint64_t handle;

        [[nodiscard]] Wide order() const { return (Wide{key} << 64) | handle; }
        [[nodiscard]] bool before(const Node& other) const { return order() < other.order(); }
    };

    [[nodiscard]] std::size_t earliest_child(std::size_t first) const;
    void rise(std::size_t index, const Node& node);
    void sink(std::size_t index, const Node& node);
    void place(std::size_t index, const Node& node);
    void remove(std::size_t index);

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> position_;  ///< by slot; kNowhere when the slot has no event
};

}  // namespace sim::engine
