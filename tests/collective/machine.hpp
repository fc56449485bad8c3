#pragma once

#include <cstdint>
#include <vector>

#include "collective/schedule.hpp"
#include "fabric/clusters.hpp"
#include "fabric/fabric.hpp"

namespace sim::test
{

/// The first `count` GPUs from `first` on of each of the first `nodes` nodes of eight.
inline std::vector<GpuId> every(int nodes, int first, int count)
{
    std::vector<GpuId> members;
    for (int node = 0; node < nodes; ++node) {
        for (int gpu = first; gpu < first + count; ++gpu) {
            members.emplace_back(static_cast<std::size_t>(node * 8 + gpu));
        }
    }
    return members;
}

inline std::vector<GpuId> one_a_node(int nodes, int gpu) { return every(nodes, gpu, 1); }

/// A cluster built, with a planner on it.
class Machine
{
public:
    explicit Machine(const spec::ClusterSpec& cluster)
        : cluster_{cluster},
          fabric_{fabric::build(cluster_)},
          router_{fabric_, cluster_.fabric, 1},
          planner_{fabric_, router_, cluster_}
    {
    }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    [[nodiscard]] collective::Schedule plan(
        collective::Kind kind, Bytes size, const std::vector<GpuId>& members,
        collective::Algorithm algorithm = collective::Algorithm::automatic) const
    {
        return planner_.plan(
            {.kind = kind, .size = size, .members = members, .algorithm = algorithm});
    }

    [[nodiscard]] const collective::Planner& planner() const { return planner_; }
    [[nodiscard]] const fabric::Fabric& fabric() const { return fabric_; }
    [[nodiscard]] std::size_t links() const { return fabric_.graph.links().size(); }
    [[nodiscard]] const fabric::Link& link(LinkId id) const
    {
        return fabric_.graph.links()[id.index()];
    }

    /// What passes each link when all flows of the phase have ended.
    [[nodiscard]] std::vector<double> bytes_by_link(const collective::Phase& phase) const
    {
        std::vector<double> bytes(links(), 0.0);
        for (const auto& flow : phase.flows) {
            for (const auto& use : flow.links) {
                bytes[use.link.index()] += flow.amount * use.consumption;
            }
        }
        return bytes;
    }

private:
    spec::ClusterSpec cluster_;
    fabric::Fabric fabric_;
    fabric::Router router_;
    collective::Planner planner_;
};

}  // namespace sim::test
