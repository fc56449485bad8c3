#include "cli/validate_steps.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/exit_code.hpp"
#include "cli/gnuplot.hpp"
#include "cli/output.hpp"
#include "cli/step_rows.hpp"
#include "results/file.hpp"

namespace sim::cli
{
namespace
{

struct Options {
    std::string file;
    std::string output;
    std::string picture;
    std::string map = "configs/validation/step-systems.yaml";
    StepSelection selection;
    bool curves = false;
};

int validate_steps(const Options& options)
{
    const CsvTable table{options.file};
    const auto rows = step_rows(table, config::load_step_rules(options.map), options.selection);
    if (!options.output.empty()) {
        results::write_atomically(options.output, step_csv(table, rows));
    }
    if (!options.picture.empty()) {
        draw_with_gnuplot(step_picture(table, rows), options.picture);
    }
    print(options.curves ? step_curves(table, rows) : step_table(table, rows));
    return kDone;
}

}  // namespace

Action add_validate_steps(CLI::App& command)
{
    auto options = std::make_shared<Options>();
    auto* steps = command.add_subcommand("steps", "Training steps of published runs");
    steps
        ->add_option("file", options->file,
                     "CSV with model shape, gpu, n_gpus, tp, pp, micro_batch, global_batch, "
                     "precision, ...; step_time_s may be left out")
        ->required()
        ->type_name("FILE.csv");
    steps->add_option("-o,--output", options->output, "Every row with its prediction")
        ->type_name("FILE.csv");
    steps->add_option("--map", options->map, "What the rows' machines and frameworks are")
        ->type_name("FILE.yaml")
        ->capture_default_str();
    steps->add_option("--source", options->selection.source, "Only these, a * stands for anything")
        ->type_name("SOURCE");
    steps->add_option("--grade", options->selection.grade, "Only rows of this grade")
        ->type_name("GRADE");
    steps->add_flag("--curves", options->curves,
                    "How errors bend with model size, attention's weight, GPUs and tensor ranks");
    steps->add_option("--picture", options->picture, "Draw these curves with gnuplot")
        ->type_name("FILE.svg");
    steps->footer(
        "Example:\n"
        "  weftsim validate steps tests/validation/training_steps.csv -o results/rows.csv\n"
        "A row that cannot be modelled is counted with the reason, never dropped.");
    return [options] { return validate_steps(*options); };
}

}  // namespace sim::cli
