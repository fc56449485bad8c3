#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fabric/fabric.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// Joins the NICs of the nodes that are already in the fabric.
using Builder = void (*)(Fabric&, const spec::ClusterSpec&);

struct CatalogueEntry {
    std::string_view kind;
    Builder builder;
};

/// Every network there is, by the word `fabric.kind` uses.
[[nodiscard]] std::span<const CatalogueEntry> catalogue();

/// Throws InputError with the nearest word when there is no such kind.
[[nodiscard]] Builder find_builder(const std::string& kind);

}  // namespace sim::fabric
