#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// A network: joins the NICs of the nodes that are already in the fabric, and knows its bisection
/// in closed form, or nothing where there is none (a null function: never).
struct NetworkKind {
    std::string_view kind;
    void (*build)(Fabric&, const spec::ClusterSpec&);
    std::optional<Bandwidth> (*bisection)(const spec::ClusterSpec&);
};

/// The inside of a node: adds one of the given name.
struct NodeKind {
    std::string_view kind;
    void (*build)(Fabric&, const spec::NodeSpec&, const std::string&);
};

/// Every network there is, by the word `fabric.kind` uses.
[[nodiscard]] std::span<const NetworkKind> network_kinds();
/// Every node there is, by the word `node.kind` uses.
[[nodiscard]] std::span<const NodeKind> node_kinds();

/// The entry of a kind that the spec knows; another is a bug.
[[nodiscard]] const NetworkKind& network_kind(std::string_view kind);
[[nodiscard]] const NodeKind& node_kind(std::string_view kind);

}  // namespace sim::fabric
