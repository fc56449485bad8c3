#include "replay/rendezvous.hpp"

#include "core/contract.hpp"

namespace sim::replay
{

Rendezvous::Rendezvous(const workload::TaskGraph& graph)
    : graph_{graph}, meetings_(graph.communicators.size()), streams_(graph.slots.size(), kNoStream)
{
    for (std::size_t communicator = 0; communicator < graph.communicators.size(); ++communicator) {
        first_.push_back(static_cast<std::uint32_t>(ports_.size()));
        for (const auto rank : graph.communicators[communicator].members) {
            std::uint32_t slot = 0;
            while (slot < graph.slots_per_rank && graph.slots[index(rank, slot)] != communicator) {
                ++slot;
            }
            SIM_EXPECT(slot < graph.slots_per_rank);
            ports_.push_back({rank, slot});
        }
    }
    first_.push_back(static_cast<std::uint32_t>(ports_.size()));
}

}  // namespace sim::replay
