#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/import.hpp"
#include "cli/import_hardware.hpp"
#include "cli/output.hpp"
#include "core/log.hpp"
#include "core/quantity_text.hpp"
#include "formats/topology_write.hpp"
#include "results/file.hpp"

namespace sim::cli
{
namespace
{

struct ImportOptions {
    std::string file;
    std::string output;
    std::string hardware;
    formats::TopologyReading reading;
    formats::TopologyParts parts;
    std::string nic_bandwidth;
    std::string link_bandwidth;
    std::string cable_latency;
    std::string socket_bandwidth;
    std::string socket_latency;
};

constexpr const char* kFooter =
    "The description is complete: what FILE does not say is asked for by an option.\n"
    "Example:\n"
    "  weftsim import topology fabric.out -o topologies/mine.yaml --gpu h100-sxm \\\n"
    "    --gpus-per-node 8 --node-kind hgx --nvlink nvlink4-h100 --pcie gen5-x16 \\\n"
    "    --nic connectx-7 --switch 25.6t --collective nccl --cable-latency '100 ns'";

std::string kinds()
{
    std::string text = "What FILE is, when its content does not show it:";
    for (const auto& kind : formats::topology_kinds()) {
        text += fmt::format("\n{} ({})", kind.word, kind.what);
    }
    return text;
}

/// Reads a quantity an option gives; absent when the option is.
template <class Q>
std::optional<Q> quantity(const std::string& option, const std::string& text,
                          Diagnostics& diagnostics)
{
    if (text.empty()) {
        return std::nullopt;
    }
    const auto parsed = parse<Q>(text);
    if (!parsed) {
        Diagnostic diagnostic;
        diagnostic.key = option;
        diagnostic.message = parsed.message;
        diagnostic.hint = parsed.hint;
        diagnostics.push_back(std::move(diagnostic));
    }
    return parsed.value;
}

void read_quantities(ImportOptions& options, Diagnostics& diagnostics)
{
    auto& parts = options.parts;
    parts.nic_bandwidth =
        quantity<Bandwidth>("--nic-bandwidth", options.nic_bandwidth, diagnostics);
    parts.link_bandwidth =
        quantity<Bandwidth>("--link-bandwidth", options.link_bandwidth, diagnostics);
    parts.cable_latency = quantity<Time>("--cable-latency", options.cable_latency, diagnostics);
    const auto bandwidth =
        quantity<Bandwidth>("--socket-bandwidth", options.socket_bandwidth, diagnostics);
    const auto latency = quantity<Time>("--socket-latency", options.socket_latency, diagnostics);
    if (bandwidth && latency) {
        parts.socket_link = {*bandwidth, *latency};
    }
}

/// Messages name files alone, and a file's own text may hold anything.
int import_topology(ImportOptions& options)
{
    Diagnostics diagnostics;
    read_quantities(options, diagnostics);
    const auto hardware = find_hardware(options.hardware);
    const auto unknown = check_parts(options.parts, hardware);
    diagnostics.insert(diagnostics.end(), unknown.begin(), unknown.end());
    if (has_errors(diagnostics)) {
        throw InputError{std::move(diagnostics)};
    }
    options.parts.hardware = seen_from(options.output, hardware);
    const auto topology = formats::read_topology(options.file, options.reading);
    const auto written = formats::write_topology(topology, options.parts, options.file);
    if (!written.warnings.empty()) {
        complain(render(written.warnings));
    }
    if (options.output.empty()) {
        print(written.yaml);
    } else {
        results::write_atomically(options.output, written.yaml);
        Log{"cli"}.info(fmt::format("wrote {}: {} nodes", options.output, topology.nodes));
    }
    return kDone;
}

void add_parts(CLI::App& command, formats::TopologyParts& parts)
{
    const auto add = [&](const char* option, std::string& name, const char* what) {
        command.add_option(option, name, what)->type_name("NAME");
    };
    add("--gpu", parts.gpu, "A file of configs/hardware/gpu");
    add("--nvlink", parts.nvlink, "A file of configs/hardware/nvlink");
    add("--pcie", parts.pcie, "A file of configs/hardware/pcie");
    add("--nic", parts.nic, "A file of configs/hardware/nic");
    add("--switch", parts.device, "A file of configs/hardware/switch, for all switches");
    add("--collective", parts.collective, "A file of configs/hardware/collective");
    command.add_option("--node-kind", parts.node_kind, "How the GPUs of a node are joined")
        ->check(CLI::IsMember(formats::plain_node_kinds()))
        ->type_name("KIND");
    command.add_option("--gpus-per-node", parts.gpus_per_node)->check(CLI::Range(1, 4096));
    command.add_option("--nics-per-node", parts.nics_per_node)->check(CLI::Range(1, 4096));
}

void add_quantities(CLI::App& command, ImportOptions& options)
{
    const auto add = [&](const char* option, std::string& text, const char* what) {
        command.add_option(option, text, what)->type_name("VALUE UNIT");
    };
    add("--nic-bandwidth", options.nic_bandwidth, "Line rate of a network port");
    add("--link-bandwidth", options.link_bandwidth, "Line rate of a cable between switches");
    add("--cable-latency", options.cable_latency, "Of every cable");
    add("--socket-bandwidth", options.socket_bandwidth, "Between two CPU sockets, per direction");
    add("--socket-latency", options.socket_latency, "Between two CPU sockets");
}

}  // namespace

Action add_import_topology(CLI::App& import_command)
{
    auto options = std::make_shared<ImportOptions>();
    auto* command = import_command.add_subcommand(
        "topology", "Turn another tool's topology file into a cluster description");
    command->add_option("file", options->file, "The other tool's file")
        ->required()
        ->type_name("FILE");
    command->add_option("-o,--output", options->output, "Write there instead of to stdout")
        ->type_name("FILE.yaml");
    command->add_option("--kind", options->reading.kind, kinds())->type_name("KIND");
    command
        ->add_option("--node-dimensions", options->reading.inner_dimensions,
                     "Dimensions of an ASTRA-sim network that are inside a node, 0 or 1")
        ->check(CLI::Range(0, 1));
    command
        ->add_option("--hardware", options->hardware,
                     "The folder of hardware files; configs/hardware at or above here otherwise")
        ->type_name("FOLDER");
    add_parts(*command, options->parts);
    add_quantities(*command, *options);
    auto* bandwidth = command->get_option("--socket-bandwidth");
    auto* latency = command->get_option("--socket-latency");
    bandwidth->needs(latency);
    latency->needs(bandwidth);
    command->footer(kFooter);
    return [options] { return import_topology(*options); };
}

}  // namespace sim::cli
