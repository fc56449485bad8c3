#pragma once

#include <string>

#include "fabric/description.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

/// What two clusters are brought to have the same of.
enum class Basis { bisection, ports, cost };

/// Of a description that has counts; the cost needs a price.
[[nodiscard]] double measure(const Description& description, Basis basis);

struct Equalised {
    spec::ClusterSpec cluster;
    std::string change;  ///< in words: "every rate of the network x 1.25"
    double reached = 0;  ///< in the unit of `measure`
};

/// The cluster changed until it measures `target`: to equal bisection by the line rates of its
/// NICs, cables and switches, to equal ports or cost by its number of nodes, as near as whole
/// leaves, blocks or planes come. An InputError says why when neither can be.
/// sim/fabric/description.md
[[nodiscard]] Equalised equalise(const spec::ClusterSpec& cluster, Basis basis, double target);

}  // namespace sim::fabric
