#pragma once

#include <string>
#include <vector>

namespace sim::cli
{

/// What a cycle-level simulator reached beside what the bank model does with that simulator's
/// timings, mapping and queues. Shares of the data pins.
struct SimulatorRow {
    std::string simulator;
    std::string device;
    std::string map;
    std::string refresh;
    int queue = 0;
    int channels = 1;
    std::string pattern;
    int outstanding = 0;  ///< 0: as many as the queues take
    double measured = 0;
    double predicted = 0;
    double closed = 0;       ///< by the closed form
    std::string difference;  ///< the rule one of the two lacks, where a table says so

    [[nodiscard]] double error() const { return predicted / measured - 1; }
};

/// Runs every row of FOLDER/memory_simulators.csv; devices are FOLDER/memory/DEVICE.yaml, and
/// FOLDER/memory_differences.csv says why rows differ.
[[nodiscard]] std::vector<SimulatorRow> compare_simulators(const std::string& folder);

}  // namespace sim::cli
