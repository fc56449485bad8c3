#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/comm_groups.hpp"
#include "cli/commands.hpp"
#include "cli/copy_document.hpp"
#include "cli/copy_room.hpp"
#include "cli/copy_run.hpp"
#include "cli/exit_code.hpp"
#include "cli/numbers.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/table.hpp"
#include "config/load.hpp"
#include "config/scalar.hpp"
#include "config/vocabulary.hpp"
#include "core/diagnostics.hpp"
#include "core/quantity_text.hpp"
#include "results/file.hpp"

namespace sim::cli
{
namespace
{

struct CopyOptions {
    CommonOptions common;  ///< `file` is the cluster
    std::vector<std::string> ways;
    std::string bytes = "1 GB";
    std::string ranks;
    bool through_dram = false;
};

spec::DataTier tier_of(const std::string& way, const std::string& word)
{
    const auto parsed = config::choice(config::data_tier_words()).read(word);
    if (!parsed) {
        sim::refuse("FROM:TO", fmt::format("in \"{}\": {}", way, parsed.message), parsed.hint);
    }
    return *parsed.value;
}

workload::Copy copy_of(const std::string& way, const CopyOptions& options)
{
    const auto colon = way.find(':');
    if (colon == std::string::npos) {
        sim::refuse("FROM:TO", fmt::format("\"{}\" names no two tiers", way),
                    "write hbm:dram, dram:hbm, storage:hbm, ...");
    }
    const auto bytes = parse<Bytes>(options.bytes);
    if (!bytes || *bytes.value <= Bytes{}) {
        sim::refuse("--bytes", bytes ? "must be above 0" : bytes.message,
                    bytes ? "write 1 GB" : bytes.hint);
    }
    workload::Copy copy;
    copy.from = tier_of(way, way.substr(0, colon));
    copy.to = tier_of(way, way.substr(colon + 1));
    if (copy.from == copy.to) {
        sim::refuse("FROM:TO", fmt::format("\"{}\" goes nowhere", way), "write hbm:dram");
    }
    copy.size = *bytes.value;
    copy.through_dram = options.through_dram;
    copy.purpose = workload::purpose_of(copy.from, copy.to);
    return copy;
}

std::string text_of(const std::vector<CopyRow>& rows)
{
    Table table;
    table.column("copy", Table::Align::left);
    for (const auto* header : {"GPUs", "time", "each", "all"}) {
        table.column(header);
    }
    table.column("bound by", Table::Align::left);
    table.column("busy");
    for (const auto& row : rows) {
        table.row({way_of(row), fmt::format("{}", row.ranks.size()), to_text(row.time),
                   to_text(row.each), to_text(row.all),
                   fmt::format("{} ({})", row.bound, row.busiest), percent(row.busy)});
    }
    return table.text();
}

int do_copy(const CopyOptions& options)
{
    const auto& common = options.common;
    apply_verbosity(common);
    if (!common.output.empty()) {
        results::check_writable(common.output);
    }
    std::vector<workload::Copy> copies;
    for (const auto& way : options.ways) {
        copies.push_back(copy_of(way, options));
    }
    const auto cluster = config::load_cluster(common.file, overrides(common));
    const auto ranks =
        parse_ranks(options.ranks, static_cast<std::size_t>(spec::placed_gpus(cluster)));
    const auto rows = run_copies(cluster, ranks, copies);
    const auto shortages = copy_shortages(cluster, ranks, copies);
    for (const auto& shortage : shortages) {
        complain(fmt::format("{}: does not fit: {}", common.file, memory::to_words(shortage)));
    }
    if (!shortages.empty()) {
        return kDoesNotFit;
    }
    const auto document = copy_document(rows, common.file);
    if (!common.output.empty()) {
        results::write_hdf5(document, common.output);
    }
    print(common.format == "json"  ? results::to_json(document)
          : common.format == "csv" ? results::to_wide_csv(document, {"copy"})
                                   : text_of(rows));
    return kDone;
}

}  // namespace

Action add_copy(CLI::App& program)
{
    auto options = std::make_shared<CopyOptions>();
    auto* command = program.add_subcommand(
        "copy", "Time copies between HBM, host memory, pooled memory, drives and file system");
    command
        ->add_option("FROM:TO", options->ways,
                     "Tiers: hbm, dram, pool, storage, files; several go at the same time")
        ->required();
    command->add_option("--cluster", options->common.file, "The machine, YAML")
        ->required()
        ->type_name("FILE");
    command->add_option("--bytes", options->bytes, "Of each copy of each GPU")
        ->type_name("BYTES")
        ->capture_default_str();
    command
        ->add_option("--ranks", options->ranks,
                     "How many GPUs copy, node by node, or which: 0-7,16 or 0-63:8 [all]")
        ->type_name("RANKS");
    command->add_flag("--through-dram", options->through_dram,
                      "Through buffers in host memory, not straight between drive and GPU");
    command
        ->add_option("--set", options->common.settings,
                     "Replace the value at a dotted key of the cluster; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command->add_option("-o,--output", options->common.output, "Write the rows as HDF5")
        ->type_name("FILE.h5");
    command->add_option("--format", options->common.format, "table, csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->type_name("FORMAT")
        ->capture_default_str();
    command->footer(
        "Example:\n"
        "  weftsim copy hbm:dram storage:hbm --cluster topologies/dgx-h100-tiers.yaml --ranks 8");
    return [options] { return do_copy(*options); };
}

}  // namespace sim::cli
