#pragma once

#include <string>
#include <vector>

#include "fabric/description.hpp"

namespace sim::cli
{

struct Topology {
    std::string name;
    fabric::Description description;
    std::string change{};     ///< what was done to it so that it compares; may be empty
    bool has_events = false;  ///< capacities or cables that change with time
};

/// A row a figure, a column a cluster.
[[nodiscard]] std::string topology_table(const std::vector<Topology>& clusters);
[[nodiscard]] std::string topology_csv(const std::vector<Topology>& clusters);
[[nodiscard]] std::string topology_json(const std::vector<Topology>& clusters);

}  // namespace sim::cli
