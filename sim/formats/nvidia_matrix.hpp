#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/topology_source.hpp"

namespace sim::formats
{

/// The table `nvidia-smi topo -m` prints.
struct NvidiaMatrix {
    struct Row {
        std::vector<std::string> relations{};  ///< to every device: X, NV18, PIX, PXB, PHB, ...
        std::string numa{};                    ///< may be empty
        Place place{};
    };

    std::vector<std::string> devices{};  ///< GPUs first, then NICs
    std::vector<Row> rows{};             ///< one a device, in their order
    std::size_t gpus = 0;
};

/// 12 for NV12; nothing for any other relation.
[[nodiscard]] std::optional<int> nvlinks(const std::string& relation);
/// From 0 for one PCIe bridge to 4 for another socket; nothing for any other relation.
[[nodiscard]] std::optional<int> pcie_distance(const std::string& relation);

/// Reads and checks the table: a row for every column, known words, the same both ways.
[[nodiscard]] NvidiaMatrix parse_nvidia_matrix(TopologySource& source);

}  // namespace sim::formats
