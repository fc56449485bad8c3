#pragma once

#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Parallel cables between two switches that are there already.
struct Bundle {
    VertexId from;
    VertexId to;
    LinkKind kind;
    Bandwidth rate{};  ///< line rate of one cable
    int cables = 1;
    Time from_latency{};  ///< port to port of `from`
    Time to_latency{};
    std::optional<Time> cable_latency{};  ///< absent: what the fabric says of its kind
};

/// Adds a switch and puts one of its model on the order.
VertexId add_switch(Fabric& fabric, VertexKind kind, std::string name,
                    const spec::SwitchSpec& model);

/// One of `ports` ports of a NIC, each with an equal part of its line rate, on a switch.
void attach_nic(Fabric& fabric, const spec::ClusterSpec& cluster, VertexId nic, VertexId leaf,
                const spec::SwitchSpec& model, int ports = 1);

/// One way over a cable of that kind.
[[nodiscard]] Time cable_time(const spec::FabricSpec& fabric, LinkKind kind);

/// A flow on a single path needs every cable apart, and so does an outage; an even spread treats a
/// bundle as one wide link.
void join_switches(Fabric& fabric, const spec::ClusterSpec& cluster, const Bundle& bundle);

/// Ports of `rate` that the switch can be split into.
[[nodiscard]] int ports_of(const spec::SwitchSpec& model, Bandwidth rate);

/// Complains at "cluster.fabric." + key.
void complain(Diagnostics& diagnostics, const std::string& key, std::string message,
              std::string hint);

/// Half of the nodes at full rate: no cut carries more.
[[nodiscard]] Bandwidth half_of_the_nics(const spec::ClusterSpec& cluster);

/// `exact` when it is whole to rounding and at least 1, else 0.
[[nodiscard]] int whole_or_none(double exact);

}  // namespace sim::fabric
