#include "engine/event_queue.hpp"

namespace sim::engine
{

namespace
{

constexpr std::uint32_t kNowhere = 0xffffffffU;  ///< no event
constexpr std::uint32_t kInRing = 0xfffffffeU;   ///< waits for an instant that another slot heads
constexpr std::size_t kArity = 4;

}  // namespace

/// Times of one run differ in all bits of the mantissa; a multiplication brings them together.
std::size_t EventQueue::remembered_at(std::uint64_t key)
{
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio
    return static_cast<std::size_t>((key * kOdd) >> (64 - std::bit_width(kRemembered - 1)));
}

void EventQueue::put(std::size_t index, const Instant& instant)
{
    instants_[index] = instant;
    links_[instant.head].place = static_cast<std::uint32_t>(index);
}

void EventQueue::rise(std::size_t index, const Instant& instant)
{
    while (index > 0) {
        const auto parent = (index - 1) / kArity;
        if (instant.key >= instants_[parent].key) {
            break;
        }
        put(index, instants_[parent]);
        index = parent;
    }
    put(index, instant);
}

/// The earliest of the children from `first` on. Which of four it is cannot be predicted, so the
/// usual case is decided without a branch.
std::size_t EventQueue::earliest_child(std::size_t first) const
{
    const auto* instants = instants_.data();
    if (first + kArity <= instants_.size()) {
        const auto left = first + std::size_t{instants[first + 1].key < instants[first].key};
        const auto right =
            first + 2 + std::size_t{instants[first + 3].key < instants[first + 2].key};
        return left + (right - left) * std::size_t{instants[right].key < instants[left].key};
    }
    auto least = first;
    for (auto child = first + 1; child < instants_.size(); ++child) {
        least = instants[child].key < instants[least].key ? child : least;
    }
    return least;
}

void EventQueue::sink(std::size_t index, const Instant& instant)
{
    for (;;) {
        const auto first = index * kArity + 1;
        if (first >= instants_.size()) {
            break;
        }
        const auto least = earliest_child(first);
        if (instants_[least].key >= instant.key) {
            break;
        }
        put(index, instants_[least]);
        index = least;
    }
    put(index, instant);
}

void EventQueue::move(std::size_t index, const Instant& instant)
{
    if (index > 0 && instant.key < instants_[(index - 1) / kArity].key) {
        rise(index, instant);
    } else {
        sink(index, instant);
    }
}

void EventQueue::remove(std::size_t index)
{
    const auto last = instants_.back();
    instants_.pop_back();
    if (index < instants_.size()) {
        move(index, last);
    }
}

/// Adds the slot to the instant of that time, if one is remembered.
bool EventQueue::join(std::uint64_t key, Slot slot)
{
    const auto head = recent_[remembered_at(key)];
    const auto place = links_[head].place;
    if (place >= instants_.size() || instants_[place].key != key || head == slot) {
        return false;
    }
    const auto last = links_[head].previous;
    links_[slot] = {kInRing, head, last};
    links_[last].next = slot;
    links_[head].previous = slot;
    return true;
}

/// Takes the slot's event out.
void EventQueue::leave(Slot slot)
{
    const auto link = links_[slot];
    links_[slot].place = kNowhere;
    if (link.next == slot) {
        remove(link.place);
        return;
    }
    links_[link.previous].next = link.next;
    links_[link.next].previous = link.previous;
    if (link.place != kInRing) {
        auto& instant = instants_[link.place];
        instant.head = link.next;
        links_[link.next].place = link.place;
        recent_[remembered_at(instant.key)] = link.next;
    }
}

void EventQueue::set(Slot slot, double at)
{
    if (slot >= links_.size()) {
        links_.resize(slot + std::size_t{1}, {kNowhere, 0, 0});
    }
    const auto key = std::bit_cast<std::uint64_t>(at);
    if (links_[slot].place != kNowhere) {
        leave(slot);
        --size_;
    }
    ++size_;
    if (join(key, slot)) {
        return;
    }
    links_[slot] = {kNowhere, slot, slot};
    recent_[remembered_at(key)] = slot;
    instants_.push_back({key, slot});
    rise(instants_.size() - 1, {key, slot});
}

void EventQueue::erase(Slot slot)
{
    if (slot < links_.size() && links_[slot].place != kNowhere) {
        leave(slot);
        --size_;
    }
}

EventQueue::Slot EventQueue::pop()
{
    const auto slot = instants_.front().head;
    leave(slot);
    --size_;
    return slot;
}

}  // namespace sim::engine
