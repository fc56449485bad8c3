#pragma once

#include <vector>

#include "formats/topology.hpp"
#include "formats/topology_source.hpp"

namespace sim::formats
{

/// One dimension of an ASTRA-sim network; dimension 0 is innermost.
struct AstraDimension {
    enum class Shape { ring, fully_connected, switched };

    Shape shape = Shape::ring;
    int npus = 0;
    Bandwidth link{};
    Time latency{};

    /// Links of one NPU.
    [[nodiscard]] int links() const;
    /// All of an NPU's links together.
    [[nodiscard]] Bandwidth rate() const { return link * links(); }
};

/// `inner` dimensions are inside a node, 0 or 1; the others are its network.
[[nodiscard]] Topology assemble_astra(TopologySource& source,
                                      const std::vector<AstraDimension>& dimensions, int inner);

}  // namespace sim::formats
