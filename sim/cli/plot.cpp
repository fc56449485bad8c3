#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/gnuplot.hpp"
#include "core/diagnostics.hpp"
#include "core/log.hpp"
#include "results/file.hpp"
#include "results/gnuplot_script.hpp"

namespace sim::cli
{
namespace
{

struct PlotOptions {
    std::string file;
    std::string kind = "ledger";
    std::string output;
};

std::string extension(const std::string& path)
{
    const auto dot = path.rfind('.');
    return dot == std::string::npos ? "" : path.substr(dot + 1);
}

int do_plot(const PlotOptions& options)
{
    const auto format = extension(options.output);
    if (format != "svg" && format != "png" && format != "pdf") {
        refuse("--output", fmt::format("\"{}\" says no format", options.output),
               "write a name that ends in .svg, .png or .pdf");
    }
    const auto document = results::read_hdf5(options.file);
    const auto script = results::gnuplot_script(document, options.kind, format);
    draw_with_gnuplot(script, options.output);
    Log{"cli"}.info("wrote " + options.output);
    return kDone;
}

}  // namespace

Action add_plot(CLI::App& program)
{
    auto options = std::make_shared<PlotOptions>();
    auto* command =
        program.add_subcommand("plot", "Draw a result file with gnuplot, without a browser");
    command->add_option("file", options->file, "Of run, explain or sweep, HDF5")
        ->required()
        ->type_name("FILE.h5");
    command
        ->add_option("--kind", options->kind,
                     "ledger; of a run also utilisation, memory (over the step) or critical-path; "
                     "of explain also "
                     "elasticity; of a sweep also step")
        ->check(CLI::IsMember(results::plot_kinds()))
        ->type_name("KIND")
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Ends in .svg, .png or .pdf")
        ->required()
        ->type_name("FILE");
    command->footer(
        "Example:\n"
        "  weftsim plot results/llama3-70b-400g-800g.h5 --kind step -o step.svg");
    return [options] { return do_plot(*options); };
}

}  // namespace sim::cli
