#pragma once

#include <string>
#include <vector>

#include "fabric/description.hpp"

namespace sim::cli
{

struct Topology {
    std::string name;
    fabric::Description description;
};

enum class Basis { none, bisection, ports, cost };

/// A row a figure, a column a cluster; with a basis every amount is per unit of it.
[[nodiscard]] std::string topology_table(const std::vector<Topology>& clusters, Basis basis);
[[nodiscard]] std::string topology_csv(const std::vector<Topology>& clusters, Basis basis);
[[nodiscard]] std::string topology_json(const std::vector<Topology>& clusters, Basis basis);

}  // namespace sim::cli
