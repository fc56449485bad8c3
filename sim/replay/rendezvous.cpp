#include "replay/rendezvous.hpp"

#include "core/contract.hpp"

namespace sim::replay
{

Rendezvous::Rendezvous(const workload::TaskGraph& graph)
    : graph_{graph},
      meetings_(graph.communicators.size()),
      streams_(graph.slots.size(), kNoStream),
      next_(graph.slots.size(), kNoStream)
{
    for (std::size_t communicator = 0; communicator < graph.communicators.size(); ++communicator) {
        first_.push_back(static_cast<std::uint32_t>(ports_.size()));
        const auto& members = graph.communicators[communicator].members;
        for (std::size_t member = 0; member < members.size(); ++member) {
            // An instance that stands for several members is named once for each slot it has.
            const auto rank = members[member];
            const bool again = member > 0 && members[member - 1] == rank;
            std::uint32_t slot = again ? ports_.back().slot + 1 : 0;
            while (slot < graph.slots_per_rank && graph.slots[index(rank, slot)] != communicator) {
                ++slot;
            }
            SIM_EXPECT(slot < graph.slots_per_rank);
            ports_.push_back({rank, slot});
        }
    }
    first_.push_back(static_cast<std::uint32_t>(ports_.size()));
}

bool Rendezvous::may_enter(const Port& port, std::uint32_t stream)
{
    const auto at = index(port.rank, port.slot);
    if (streams_[at] != kNoStream) {
        next_[at] = next_[at] == kNoStream ? stream : next_[at];
        return false;
    }
    if (next_[at] != kNoStream && next_[at] != stream) {
        return false;
    }
    next_[at] = kNoStream;
    return true;
}

}  // namespace sim::replay
