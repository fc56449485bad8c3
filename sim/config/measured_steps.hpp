#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/load.hpp"
#include "config/map_reader.hpp"

namespace sim::config
{

/// A column of a table of measured steps and what its cell is, or has to be; a * stands for
/// anything.
using Cell = std::pair<std::string, std::string>;

/// What is known of the rows whose cells are as `where` says. Of several rules that fit a row the
/// first that says a thing counts, and every setting of the others that it has not.
struct StepRule {
    std::vector<Cell> where;
    std::string cluster;             ///< topology file, ready to be opened; empty: not said here
    std::vector<Override> settings;  ///< of the cluster file
    std::string framework;           ///< file of configs/hardware/framework, ready to be opened
    std::string model;               ///< a config.json, ready to be opened; empty: the cells say it
    std::vector<Cell> fill;          ///< cells that the table leaves empty
    std::vector<Cell> correct;       ///< cells that the row's source contradicts
    std::string reason;              ///< why such rows cannot be modelled
};

[[nodiscard]] std::vector<StepRule> read_step_rules(MapReader reader);
/// The table of configs/validation/step-systems.yaml.
[[nodiscard]] std::vector<StepRule> load_step_rules(const std::string& path);

}  // namespace sim::config
