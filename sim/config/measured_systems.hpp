#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"
#include "config/map_reader.hpp"

namespace sim::config
{

/// One line of the table that says which machine a measured system is.
struct MeasuredSystem {
    std::string match;    ///< the system's name, or its GPU's; a * stands for anything
    std::string cluster;  ///< topology file, ready to be opened; empty: it is not modelled
    std::string reason;   ///< why not
    std::vector<Override> settings;
    int domain = 0;           ///< GPUs that NVLink joins, whatever nodes are called; 0: a node's
    bool blind = false;       ///< no constant was fitted to it
    bool by_columns = false;  ///< no name fitted it
};

/// The table of configs/validation/collective-systems.yaml, every list in its order.
struct MeasuredSystems {
    std::vector<MeasuredSystem> systems;     ///< by name
    std::vector<MeasuredSystem> gpus;        ///< by GPU, for systems that no name fits
    std::vector<MeasuredSystem> transports;  ///< what the words for NIC and fabric add to those
};

[[nodiscard]] MeasuredSystems read_measured_systems(MapReader reader);
[[nodiscard]] MeasuredSystems load_measured_systems(const std::string& path);

}  // namespace sim::config
