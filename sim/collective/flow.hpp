#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "collective/schedule.hpp"
#include "fabric/fabric.hpp"

namespace sim::collective
{

/// Ascending by link, each once.
void merge(std::vector<LinkUse>& uses);

struct Ends {
    GpuId from;
    GpuId to;
};

/// What one receiver gets.
struct Part {
    GpuId to;
    double size;
};

/// Turns orders of members into flows over a machine's links.
class FlowBuilder
{
public:
    FlowBuilder(const fabric::Fabric& fabric, const fabric::Router& router,
                const spec::FabricSpec& network, bool hops = false)
        : fabric_{fabric},
          router_{router},
          connections_{spec::queue_pairs(network)},
          queue_pair_rate_{network.queue_pairs.rate},
          hops_{hops}
    {
    }

    /// `size` bytes of buffer go round `ring` (two members or more).
    [[nodiscard]] Flow ring(Kind kind, std::span<const GpuId> ring, double size,
                            std::uint64_t label) const;
    [[nodiscard]] Flow send(GpuId from, GpuId to, double size, std::uint64_t label) const;
    /// `size` bytes pass from the first member of `chain` to the last through all between.
    [[nodiscard]] Flow chain(std::span<const GpuId> chain, double size, std::uint64_t label) const;
    /// Every part to its receiver, all in step.
    [[nodiscard]] Flow scatter(GpuId from, std::span<const Part> parts, std::uint64_t label) const;

    /// Puts a path among the flow's links, `consumption` bytes per byte of its amount, and gives
    /// its latency. As a hop of its own it waits for `waits`.
    Time add_links(Flow& flow, Ends ends, double consumption, std::uint64_t label,
                   const std::vector<std::uint32_t>& waits = {}) const;

    /// Puts the paths from all `leaves` to the first of them among the flow's links, both ways,
    /// each link once: what meets in a switch goes on as one, and the result comes back the same
    /// way.
    void add_reducing_tree(Flow& flow, std::span<const GpuId> leaves, double consumption,
                           std::uint64_t label) const;

private:
    /// Puts one hop among the flow's links and memories. `sent` and `received` are the HBM bytes
    /// the hop costs its two ends per byte, without what a NIC adds; `part` of the amount passes
    /// it.
    void add_hop(Flow& flow, const fabric::Route& route, const MemoryUse& sent,
                 const MemoryUse& received, double part = 1) const;

    /// The last of the flow's hops; the links of the flow itself stay as they are.
    static void add_waiting_hop(Flow& flow, const fabric::Route& route, Ends ends,
                                double consumption);

    /// Links alone; true when they leave the sender through a NIC.
    bool add_route(Flow& flow, const fabric::Route& route, double consumption) const;

    double add_network(Flow& flow, const fabric::Route& route, double consumption) const;

    const fabric::Fabric& fabric_;
    const fabric::Router& router_;
    int connections_;
    std::optional<Bandwidth> queue_pair_rate_;
    bool hops_;
};

/// All flows as one that moves them in step, each at its share of the whole amount.
[[nodiscard]] Flow coupled(const std::vector<Flow>& flows);

/// Into how many chunks a chain or a tree cuts what passes it.
[[nodiscard]] std::uint32_t pipeline_chunks(double amount);

/// HBM bytes a ring member reads and writes per byte that passes a hop; sim/collective/README.md
/// counts them.
[[nodiscard]] double ring_memory_traffic(Kind kind, std::size_t members);

}  // namespace sim::collective
