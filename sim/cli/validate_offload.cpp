#include "cli/validate_offload.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "cli/exit_code.hpp"
#include "cli/offload_rows.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "results/file.hpp"

namespace sim::cli
{

namespace
{

/// What the figures are held to.
constexpr double kTolerance = 0.15;

struct Options {
    std::string file = "tests/validation/offload.csv";
    std::string folder = "configs/validation/offload";
    std::string output;
};

std::string text_of(const std::vector<OffloadRow>& rows)
{
    Table table;
    table.column("published", Table::Align::left);
    table.column("case", Table::Align::left);
    for (const auto* header : {"measured", "predicted", "error"}) {
        table.column(header);
    }
    table.column("", Table::Align::left);
    std::size_t blind = 0;
    std::size_t near = 0;
    for (const auto& row : rows) {
        const bool fitted = row.use == "fitted";
        blind += fitted ? 0 : 1;
        near += !fitted && std::abs(row.error()) <= kTolerance ? 1 : 0;
        table.row({row.set, row.name, fmt::format("{:.4g} {}", row.measured, row.unit),
                   fmt::format("{:.4g}", row.predicted),
                   fmt::format("{:+.1f} %", 100 * row.error()), row.use});
    }
    return table.text() + fmt::format(
                              "\n{} of {} figures that nothing was fitted to are within "
                              "{:.0f} %\n",
                              near, blind, 100 * kTolerance);
}

std::string csv_of(const std::vector<OffloadRow>& rows)
{
    std::string csv = "set,case,use,unit,measured,predicted,error\n";
    for (const auto& row : rows) {
        csv += fmt::format("{},{},{},{},{},{},{}\n", csv_cell(row.set), csv_cell(row.name), row.use,
                           row.unit, row.measured, row.predicted, row.error());
    }
    return csv;
}

int validate_offload(const Options& options)
{
    const auto rows = offload_rows(CsvTable{options.file}, options.folder);
    if (!options.output.empty()) {
        results::write_atomically(options.output, csv_of(rows));
    }
    print(text_of(rows));
    return kDone;
}

}  // namespace

Action add_validate_offload(CLI::App& validate)
{
    auto options = std::make_shared<Options>();
    auto* command = validate.add_subcommand(
        "offload", "Training, inference and copies with data outside the GPUs");
    command->add_option("file", options->file, "CSV; its columns: sim/workload/offload.md")
        ->type_name("FILE.csv")
        ->capture_default_str();
    command->add_option("--machines", options->folder, "Where the rows' experiments are")
        ->type_name("FOLDER")
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Every row with its prediction")
        ->type_name("FILE.csv");
    command->footer("Example:\n  weftsim validate offload -o results/offload-rows.csv");
    return [options] { return validate_offload(*options); };
}

}  // namespace sim::cli
