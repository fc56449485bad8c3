#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity_text.hpp"
#include "formats/topology.hpp"
#include "formats/topology_xml.hpp"

namespace sim::formats
{

/// One <cluster>, its attributes read.
struct SimgridCluster {
    std::string id{};
    std::string prefix{};
    std::string suffix{};
    std::vector<int> radical{};
    Bandwidth bandwidth{};
    Time latency{};
    std::optional<Bandwidth> limiter{};
    std::string topology{};  ///< empty: flat
    std::string parameters{};
    pugi::xml_node node{};

    [[nodiscard]] std::string host(std::size_t index) const;
    [[nodiscard]] std::string router() const;
};

/// The file that is read and the document in it.
struct SimgridFile {
    TopologySource& source;
    const TopologyXml& xml;
};

/// A quantity in an attribute; complains when it is missing or wrong.
template <class Q>
Q simgrid_quantity(SimgridFile file, const pugi::xml_node& node, const char* attribute)
{
    const auto text = text_of(node, attribute);
    const auto parsed = parse<Q>(text);
    if (!node.attribute(attribute)) {
        file.source.error(file.xml.place(node),
                          std::string{"<"} + node.name() + "> has no " + attribute);
    } else if (!parsed) {
        file.source.error(file.xml.place(node, attribute), parsed.message, parsed.hint);
    }
    return parsed.value.value_or(Q{});
}

[[nodiscard]] SimgridCluster read_simgrid_cluster(SimgridFile file, const pugi::xml_node& node);

/// A cluster that is the whole platform.
[[nodiscard]] Topology simgrid_cluster_topology(SimgridFile file, const SimgridCluster& cluster);

}  // namespace sim::formats
