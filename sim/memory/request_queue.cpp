#include "memory/request_queue.hpp"

#include "core/contract.hpp"

namespace sim::memory
{

RequestQueue::RequestQueue(int banks, int read_entries, int write_entries)
    // One of each kind a bank may have given its entry back and still wait.
    : entries_(static_cast<std::size_t>(read_entries + write_entries + 2 * banks)),
      lists_(static_cast<std::size_t>(banks)),
      most_{read_entries, write_entries}
{
    SIM_EXPECT(entries_.size() < kNoSlot);
    for (std::size_t slot = entries_.size(); slot > 0; --slot) {
        free_.push_back(static_cast<Slot>(slot - 1));
    }
}

Slot RequestQueue::add(const Request& request)
{
    SIM_EXPECT(has_room(request.access));
    const Slot slot = free_.back();
    free_.pop_back();
    auto& lists = lists_[request.bank];
    const Slot last = lists.tail[request.access];
    entries_[slot] = {request, added_++, kNoSlot, last, false};
    (last == kNoSlot ? lists.head[request.access] : entries_[last].next) = slot;
    lists.tail[request.access] = slot;
    ++count_[request.access];
    ++held_[request.access];
    return slot;
}

void RequestQueue::release(Slot slot)
{
    auto& entry = entries_[slot];
    if (!entry.released) {
        entry.released = true;
        --count_[entry.request.access];
    }
}

void RequestQueue::remove(Slot slot)
{
    const auto& entry = entries_[slot];
    const auto access = entry.request.access;
    auto& lists = lists_[entry.request.bank];
    (entry.previous == kNoSlot ? lists.head[access] : entries_[entry.previous].next) = entry.next;
    (entry.next == kNoSlot ? lists.tail[access] : entries_[entry.next].previous) = entry.previous;
    count_[access] -= entry.released ? 0 : 1;
    --held_[access];
    free_.push_back(slot);
}

}  // namespace sim::memory
