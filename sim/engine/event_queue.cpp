#include "engine/event_queue.hpp"

#include "engine/native_id.hpp"

namespace sim::engine
{

namespace
{

constexpr std::uint32_t kNowhere = 0xffffffffU;
constexpr std::size_t kArity = 4;

}  // namespace

void EventQueue::place(std::size_t index, const Node& node)
{
    nodes_[index] = node;
    position_[slot_of(node.handle)] = static_cast<std::uint32_t>(index);
}

void EventQueue::rise(std::size_t index, const Node& node)
{
    while (index > 0) {
        const auto parent = (index - 1) / kArity;
        if (!node.before(nodes_[parent])) {
            break;
        }
        place(index, nodes_[parent]);
        index = parent;
    }
    place(index, node);
}

/// The earliest of the children from `first` on. Which of four it is cannot be predicted, so the
/// usual case is decided without a branch.
std::size_t EventQueue::earliest_child(std::size_t first) const
{
    const auto* nodes = nodes_.data();
    if (first + kArity <= nodes_.size()) {
        const auto left = first + std::size_t{nodes[first + 1].before(nodes[first])};
        const auto right = first + 2 + std::size_t{nodes[first + 3].before(nodes[first + 2])};
        return left + (right - left) * std::size_t{nodes[right].before(nodes[left])};
    }
    auto least = first;
    for (auto child = first + 1; child < nodes_.size(); ++child) {
        least = nodes[child].before(nodes[least]) ? child : least;
    }
    return least;
}

void EventQueue::sink(std::size_t index, const Node& node)
{
    for (;;) {
        const auto first = index * kArity + 1;
        if (first >= nodes_.size()) {
            break;
        }
        const auto least = earliest_child(first);
        if (!nodes_[least].before(node)) {
            break;
        }
        place(index, nodes_[least]);
        index = least;
    }
    place(index, node);
}

void EventQueue::set(std::uint64_t handle, double at)
{
    const auto slot = slot_of(handle);
    if (slot >= position_.size()) {
        position_.resize(slot + std::size_t{1}, kNowhere);
    }
    const Node node{std::bit_cast<std::uint64_t>(at), handle};
    if (position_[slot] == kNowhere) {
        nodes_.push_back(node);
        rise(nodes_.size() - 1, node);
        return;
    }
    const std::size_t index = position_[slot];
    if (node.before(nodes_[index])) {
        rise(index, node);
    } else {
        sink(index, node);
    }
}

void EventQueue::remove(std::size_t index)
{
    position_[slot_of(nodes_[index].handle)] = kNowhere;
    const auto last = nodes_.back();
    nodes_.pop_back();
    if (index == nodes_.size()) {
        return;
    }
    if (index > 0 && last.before(nodes_[(index - 1) / kArity])) {
        rise(index, last);
    } else {
        sink(index, last);
    }
}

void EventQueue::erase(std::uint64_t handle)
{
    const auto slot = slot_of(handle);
    if (slot < position_.size() && position_[slot] != kNowhere) {
        remove(position_[slot]);
    }
}

std::uint64_t EventQueue::pop()
{
    const auto handle = nodes_.front().handle;
    remove(0);
    return handle;
}

}  // namespace sim::engine
