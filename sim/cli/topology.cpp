#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/graphviz.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/topology_table.hpp"
#include "core/diagnostics.hpp"
#include "fabric/drawing.hpp"

namespace sim::cli
{
namespace
{

struct TopologyOptions {
    std::vector<std::string> files;
    CommonOptions common;
    bool compare = false;
    std::string equal;
    std::string dot;
    std::string svg;
};

[[noreturn]] void refuse(const char* key, std::string message, std::string hint)
{
    Diagnostic diagnostic;
    diagnostic.key = key;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    throw InputError{{diagnostic}};
}

Basis basis_of(const TopologyOptions& options)
{
    return options.equal.empty()          ? Basis::none
           : options.equal == "bisection" ? Basis::bisection
           : options.equal == "ports"     ? Basis::ports
                                          : Basis::cost;
}

void check(const TopologyOptions& options)
{
    if (options.files.size() > 1 && !options.compare) {
        refuse("file", fmt::format("{} files are given", options.files.size()),
               "write --compare to set clusters side by side");
    }
    if (!options.equal.empty() && !options.compare) {
        refuse("--equal", "is of --compare", "write --compare A B --equal " + options.equal);
    }
    if (options.files.size() > 1 && !(options.dot.empty() && options.svg.empty())) {
        refuse("--svg", "draws one cluster", "draw them one by one");
    }
}

int do_topology(const TopologyOptions& options)
{
    apply_verbosity(options.common);
    check(options);
    std::vector<Topology> clusters;
    for (const auto& file : options.files) {
        const auto cluster = config::load_cluster(file, overrides(options.common));
        const auto built = fabric::build(cluster);
        clusters.push_back({cluster.name, fabric::describe(cluster, built)});
        if (!options.dot.empty()) {
            write_text(options.dot, fabric::draw(built));
        }
        if (!options.svg.empty()) {
            write_svg(options.svg, fabric::draw(built));
        }
    }
    const auto basis = basis_of(options);
    const auto& format = options.common.format;
    print(format == "json"  ? topology_json(clusters, basis)
          : format == "csv" ? topology_csv(clusters, basis)
                            : topology_table(clusters, basis));
    return kDone;
}

}  // namespace

Action add_topology(CLI::App& program)
{
    auto options = std::make_shared<TopologyOptions>();
    auto* command = program.add_subcommand(
        "topology", "Count what a cluster consists of and say what its network can do");
    command->add_option("file", options->files, "The cluster or experiment, YAML")
        ->required()
        ->type_name("FILE");
    command
        ->add_option("--set", options->common.settings,
                     "Replace the value at a dotted key of the file; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command->add_option("--format", options->common.format, "table, csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->type_name("FORMAT")
        ->capture_default_str();
    command->add_flag("--compare", options->compare, "Set several clusters side by side");
    command
        ->add_option("--equal", options->equal,
                     "Divide amounts by bisection, ports or cost, so that clusters of different "
                     "size compare")
        ->check(CLI::IsMember({"bisection", "ports", "cost"}))
        ->type_name("BASIS");
    command->add_option("--dot", options->dot, "Write the picture as text for Graphviz")
        ->type_name("FILE.dot");
    command->add_option("--svg", options->svg, "Draw the picture with Graphviz")
        ->type_name("FILE.svg");
    auto* quiet = command->add_flag("-q,--quiet", options->common.quiet, "Warnings only on stderr");
    command->add_flag("-v,--verbose", options->common.verbose, "More on stderr")->excludes(quiet);
    command->footer(
        "Example:\n"
        "  weftsim topology topologies/dgx-b200-superpod.yaml --svg superpod.svg");
    return [options] { return do_topology(*options); };
}

}  // namespace sim::cli
