#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/comm_bench.hpp"
#include "cli/csv_reader.hpp"
#include "config/measured_systems.hpp"

namespace sim::cli
{

/// A measured collective beside the simulated one.
struct ValidatedRow {
    std::size_t row = 0;  ///< in the file
    std::string set;
    double size = 0;
    std::optional<double> measured;  ///< seconds
    std::optional<CommResult> simulated;
    std::string reason;  ///< why it is not simulated
    bool healthy = true;
    bool blind = false;       ///< no constant was fitted to its system
    bool by_columns = false;  ///< no name in the table fits its system

    /// Simulated over measured, less one.
    [[nodiscard]] std::optional<double> error() const;
};

/// Simulates the rows of a file with the columns of tests/validation/collectives.csv. Machines are
/// built once per system and number of nodes.
class CollectiveValidation
{
public:
    explicit CollectiveValidation(config::MeasuredSystems table) : known_{std::move(table)} {}

    [[nodiscard]] std::vector<ValidatedRow> run(const CsvTable& table);

private:
    [[nodiscard]] ValidatedRow row(const CsvTable& table, std::size_t index);
    /// The reason when the row cannot be simulated.
    [[nodiscard]] std::string simulate(const CsvTable& table, std::size_t index, ValidatedRow& row);
    [[nodiscard]] CommBench& bench(const config::MeasuredSystem& system, const std::string& nodes);

    config::MeasuredSystems known_;
    std::map<std::string, std::unique_ptr<CommBench>> benches_;
};

/// The machine of a row: by the system's name, else by what its columns gpu, gpus_per_node, nic and
/// fabric say. Nothing when neither is known.
[[nodiscard]] std::optional<config::MeasuredSystem> machine_of(const config::MeasuredSystems& known,
                                                               const CsvTable& table,
                                                               std::size_t row);

/// True when `text` is what `pattern` says, where * stands for anything.
[[nodiscard]] bool matches(const std::string& pattern, const std::string& text);

}  // namespace sim::cli
