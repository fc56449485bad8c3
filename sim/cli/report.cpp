#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "core/log.hpp"
#include "results/file.hpp"
#include "results/report.hpp"

namespace sim::cli
{
namespace
{

struct ReportOptions {
    std::string file;
    std::string output = "report.html";
};

int do_report(const ReportOptions& options)
{
    const auto page = results::report_page(results::read_hdf5(options.file));
    results::write_atomically(options.output, page);
    Log{"cli"}.info("wrote " + options.output);
    return kDone;
}

}  // namespace

Action add_report(CLI::App& program)
{
    auto options = std::make_shared<ReportOptions>();
    auto* command =
        program.add_subcommand("report", "Draw a result file as one page for a browser");
    command->add_option("file", options->file, "Of run, explain or sweep, HDF5")
        ->required()
        ->type_name("FILE.h5");
    command->add_option("-o,--output", options->output, "The page")
        ->type_name("FILE.html")
        ->capture_default_str();
    command->footer(
        "Example:\n"
        "  weftsim explain configs/llama3-70b-128-h100.yaml -o results/why.h5\n"
        "  weftsim report results/why.h5 -o why.html\n"
        "The page holds all it needs and loads nothing when it is opened.");
    return [options] { return do_report(*options); };
}

}  // namespace sim::cli
