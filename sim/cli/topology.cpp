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
#include "fabric/equalise.hpp"
#include "replay/machine.hpp"

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

fabric::Basis basis_of(const std::string& word)
{
    return word == "bisection" ? fabric::Basis::bisection
           : word == "ports"   ? fabric::Basis::ports
                               : fabric::Basis::cost;
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

void draw(const TopologyOptions& options, const fabric::Fabric& built)
{
    if (!options.dot.empty()) {
        write_text(options.dot, fabric::draw(built));
    }
    if (!options.svg.empty()) {
        write_svg(options.svg, fabric::draw(built));
    }
}

/// The first as it is, the others changed until they are its equals.
void make_equal(std::vector<Topology>& clusters, const std::vector<spec::ClusterSpec>& specs,
                const std::string& word)
{
    const auto basis = basis_of(word);
    for (const auto& cluster : clusters) {
        if (basis == fabric::Basis::cost && !cluster.description.total.price) {
            refuse("--equal",
                   fmt::format("{} has no prices to compare at equal cost", cluster.name),
                   "give switches, nic or fabric.cable a price");
        }
    }
    const double target = fabric::measure(clusters.front().description, basis);
    if (!(target > 0)) {
        refuse("--equal", fmt::format("{} has no {} to be equal to", clusters.front().name, word),
               "put another cluster first");
    }
    clusters.front().change = "as it is";
    for (std::size_t c = 1; c < clusters.size(); ++c) {
        const auto equal = fabric::equalise(specs[c], basis, target);
        clusters[c].description = fabric::describe(equal.cluster, fabric::build(equal.cluster));
        clusters[c].change = equal.change;
    }
}

int do_topology(const TopologyOptions& options)
{
    apply_verbosity(options.common);
    check(options);
    std::vector<Topology> clusters;
    std::vector<spec::ClusterSpec> specs;
    for (const auto& file : options.files) {
        const auto loaded = config::load_cluster_with_places(file, overrides(options.common));
        const auto built = loaded.places.around([&] { return fabric::build(loaded.spec); });
        clusters.push_back({loaded.spec.name, fabric::describe(loaded.spec, built)});
        clusters.back().has_events = !loaded.spec.events.empty() || !loaded.spec.outages.empty();
        if (clusters.back().has_events) {
            // Only a machine knows whether it has what they speak of.
            loaded.places.around([&] { return replay::Machine{loaded.spec, 0}.places(); });
        }
        specs.push_back(loaded.spec);
        draw(options, built);
    }
    if (!options.equal.empty()) {
        make_equal(clusters, specs, options.equal);
    }
    const auto& format = options.common.format;
    print(format == "json"  ? topology_json(clusters)
          : format == "csv" ? topology_csv(clusters)
                            : topology_table(clusters));
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
        ->add_option(
            "--equal", options->equal,
            "Change the others until they have the bisection (by line rates), ports or cost "
            "(by nodes) of the first")
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
