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
    FlowBuilder(const fabric::Fabric& fabric, const fabric::Router& router, int connections)
        : fabric_{fabric}, router_{router}, connections_{connections}
    {
    }

    /// `size` bytes of buffer go round `ring` (two members or more).
    [[nodiscard]] Flow ring(Kind kind, std::span<const GpuId> ring, double size,
                            std::uint64_t label) const;
    [[nodiscard]] Flow send(GpuId from, GpuId to, double size, std::uint64_t label) const;

private:
    /// Puts one hop among the flow's links; true when it leaves the sender through a NIC.
    bool add_hop(Flow& flow, const fabric::Route& route) const;

    const fabric::Fabric& fabric_;
    const fabric::Router& router_;
    int connections_;
};

/// HBM bytes a ring member reads and writes per byte that passes a hop; sim/collective/README.md
/// counts them.
[[nodiscard]] double ring_memory_traffic(Kind kind, std::size_t members);

}  // namespace sim::collective
