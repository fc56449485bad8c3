#pragma once

#include <cstdint>
#include <span>

#include "collective/schedule.hpp"
#include "fabric/fabric.hpp"

namespace sim::collective
{

/// Turns orders of members into flows over a machine's links.
class FlowBuilder
{
public:
    FlowBuilder(const fabric::Fabric& fabric, const fabric::Router& router, int connections,
                bool hops = false)
        : fabric_{fabric}, router_{router}, connections_{connections}, hops_{hops}
    {
    }

    /// `size` bytes of buffer go round `ring` (two members or more).
    [[nodiscard]] Flow ring(Kind kind, std::span<const GpuId> ring, double size,
                            std::uint64_t label) const;
    [[nodiscard]] Flow send(GpuId from, GpuId to, double size, std::uint64_t label) const;

private:
    /// Puts one hop among the flow's links and memories. `sent` and `received` are the HBM bytes
    /// the hop costs its two ends per byte, without what a NIC adds.
    void add_hop(Flow& flow, const fabric::Route& route, const MemoryUse& sent,
                 const MemoryUse& received) const;

    const fabric::Fabric& fabric_;
    const fabric::Router& router_;
    int connections_;
    bool hops_;
};

/// HBM bytes a ring member reads and writes per byte that passes a hop; sim/collective/README.md
/// counts them.
[[nodiscard]] double ring_memory_traffic(Kind kind, std::size_t members);

}  // namespace sim::collective
