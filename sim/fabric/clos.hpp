#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// The leaves a kind asks for; the tiers above them follow.
struct ClosDemand {
    int leaves = 0;
    int downlinks = 0;  ///< of a leaf, towards NICs
    Bandwidth port{};   ///< line rate of one of them
    int radix = 0;      ///< most ports of any switch; 0: what its model has
};

/// What a Clos network consists of; every switch of a tier is wired alike. sim/fabric/clos.md
struct ClosShape {
    int leaves = 0;
    int downlinks = 0;
    int uplinks = 0;  ///< of a leaf; 0 when one leaf is all there is
    int pods = 1;
    int spines_per_pod = 0;
    int parallel = 0;  ///< cables of a leaf and a spine
    int spine_uplinks = 0;
    int cores_per_group = 0;  ///< a group of cores joins the spines of one place in every pod
    int core_parallel = 0;    ///< cables of a spine and a core
    Bandwidth uplink{};       ///< line rate of a cable between switches

    [[nodiscard]] int spines() const { return pods * spines_per_pod; }
    [[nodiscard]] int cores() const { return spines_per_pod * cores_per_group; }
};

/// Counts by the equations of sim/fabric/clos.md; what cannot be built is told in `diagnostics`.
[[nodiscard]] ClosShape plan_clos(const spec::ClosSpec& spec, const ClosDemand& demand,
                                  Diagnostics& diagnostics);

/// Adds the switches and their cables, names starting with `prefix`; returns the leaves.
[[nodiscard]] std::vector<VertexId> add_clos(Fabric& fabric, const spec::ClusterSpec& cluster,
                                             const spec::ClosSpec& spec, const ClosShape& shape,
                                             const std::string& prefix);

/// What the uplinks of half of the leaves, and above them of half of the pods, carry one way; no
/// limit when one leaf is all there is, nothing when neither leaves nor pods halve.
[[nodiscard]] std::optional<Bandwidth> clos_half(const ClosShape& shape, Bandwidth unlimited,
                                                 double efficiency);

/// Ports down of a leaf all of whose `radix` ports are used; 0 when that is not whole.
[[nodiscard]] int downlinks_of(const spec::ClosSpec& spec, int radix, Bandwidth port);

}  // namespace sim::fabric
