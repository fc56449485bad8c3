#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/comm_bench.hpp"
#include "cli/comm_groups.hpp"
#include "cli/comm_size.hpp"
#include "cli/comm_spread.hpp"
#include "cli/comm_table.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "collective/words.hpp"
#include "config/load.hpp"
#include "core/diagnostics.hpp"
#include "results/file.hpp"

namespace sim::cli
{
namespace
{

using collective::Kind;

struct CommOptions {
    CommonOptions common;  ///< `file` is the cluster
    std::string collective;
    std::string smallest = "8";
    std::string largest = "16G";
    double factor = 2;
    std::string ranks;
    std::size_t groups = 1;
    bool strided = false;
    std::vector<std::string> beside;
    std::string parts;
    std::string algorithm = "auto";
    std::uint64_t seed = 0;
    int seeds = 1;
    bool explain = false;
};

std::vector<Bytes> sizes(const CommOptions& options)
{
    const auto smallest = parse_comm_size(options.smallest, "-b");
    const auto largest = parse_comm_size(options.largest, "-e");
    if (smallest > largest) {
        refuse("-b", fmt::format("{} is above -e {}", options.smallest, options.largest), "");
    }
    if (!(options.factor > 1)) {
        refuse("-f", fmt::format("{} does not make sizes grow", options.factor), "write -f 2");
    }
    std::vector<Bytes> all;
    auto size = smallest;
    while (size <= largest) {
        all.push_back(size);
        const double next = static_cast<double>(size.base()) * options.factor;
        if (next >= 9e18) {
            break;
        }
        size = std::max(Bytes::of(static_cast<std::int64_t>(next)), size + Bytes::of(1));
    }
    return all;
}

/// What runs together at every size.
class Scene
{
public:
    Scene(const CommOptions& options, const CommBench& bench)
        : options_{options},
          algorithm_{collective::parse_algorithm(options.algorithm, "--algorithm")},
          groups_{placed(options, bench)}
    {
        kinds_.push_back(collective::parse_kind(options.collective, "collective"));
        for (const auto& word : options.beside) {
            kinds_.push_back(collective::parse_kind(word, "--concurrent"));
        }
        if (!options.parts.empty() && kinds_.front() != Kind::all_to_all) {
            refuse("--parts", fmt::format("is for alltoall, not {}", options.collective), "");
        }
        ends_ = groups_;
        for (auto& group : ends_) {
            if (group.size() > 2) {
                group = {group.front(), group.back()};
            }
        }
    }

    [[nodiscard]] Kind kind() const { return kinds_.front(); }

    /// Of every kind in every group. `parts` must outlive them.
    [[nodiscard]] std::vector<collective::Request> requests(Bytes size,
                                                            std::vector<double>& parts) const
    {
        std::vector<collective::Request> all;
        for (std::size_t which = 0; which < kinds_.size(); ++which) {
            for (std::size_t group = 0; group < groups_.size(); ++group) {
                collective::Request request;
                request.kind = kinds_[which];
                request.size = size;
                request.members = request.kind == Kind::send_recv ? ends_[group] : groups_[group];
                request.algorithm = which == 0 ? algorithm_ : collective::Algorithm::automatic;
                request.label = all.size();
                if (which == 0 && !options_.parts.empty()) {
                    parts = read_parts(options_.parts, groups_[group].size(),
                                       static_cast<double>(size.base()));
                    request.parts = parts;
                }
                all.push_back(request);
            }
        }
        return all;
    }

private:
    static std::vector<std::vector<GpuId>> placed(const CommOptions& options,
                                                  const CommBench& bench)
    {
        std::vector<GpuId> members;
        for (const auto rank : parse_ranks(options.ranks, bench.ranks())) {
            members.push_back(bench.gpu_of(rank));
        }
        return split(members, options.groups, options.strided);
    }

    const CommOptions& options_;
    std::vector<Kind> kinds_;
    collective::Algorithm algorithm_;
    std::vector<std::vector<GpuId>> groups_;
    std::vector<std::vector<GpuId>> ends_;  ///< first and last of each group
};

CommTable measure(CommBench& bench, const CommOptions& options)
{
    const Scene scene{options, bench};
    CommTable table;
    // A barrier has no size.
    const auto all = scene.kind() == Kind::barrier ? std::vector<Bytes>(1) : sizes(options);
    for (const auto size : all) {
        std::vector<double> parts;
        for (auto& row : bench.measure(scene.requests(size, parts))) {
            table.rows.push_back(std::move(row));
        }
    }
    table.concurrent = table.rows.size() > all.size();
    return table;
}

/// Once when nothing depends on the seed.
CommTable measure_all(const config::LoadedCluster& cluster, const CommOptions& options)
{
    std::vector<CommTable> by_seed;
    const int runs = spec::depends_on_seed(cluster.spec) ? options.seeds : 1;
    for (int r = 0; r < runs; ++r) {
        const auto bench = cluster.places.around([&] {
            return std::make_unique<CommBench>(cluster.spec,
                                               options.seed + static_cast<std::uint64_t>(r),
                                               engine_kind(options.common));
        });
        by_seed.push_back(measure(*bench, options));
    }
    auto table = over_seeds(by_seed);
    table.one_draw = spec::depends_on_seed(cluster.spec) && runs == 1;
    return table;
}

int do_comm(const CommOptions& options)
{
    apply_verbosity(options.common);
    if (!options.common.output.empty()) {
        results::check_writable(options.common.output);
    }
    const auto cluster =
        config::load_cluster_with_places(options.common.file, overrides(options.common));
    const auto table = measure_all(cluster, options);
    if (!options.common.output.empty()) {
        results::write_hdf5(comm_document(table, {options.common.engine, options.seed}),
                            options.common.output);
    }
    const auto& format = options.common.format;
    print(format == "csv"    ? comm_csv(table)
          : format == "json" ? comm_json(table)
                             : comm_table(table));
    if (options.explain) {
        print("\n" + comm_explanation(table));
    }
    return kDone;
}

void add_sizes(CLI::App& command, CommOptions& options)
{
    command
        .add_option("-b,--minbytes", options.smallest,
                    "Smallest size; K, M, G are 2^10, 2^20, 2^30, also in 16GB")
        ->type_name("SIZE")
        ->capture_default_str();
    command.add_option("-e,--maxbytes", options.largest, "Largest size")
        ->type_name("SIZE")
        ->capture_default_str();
    command.add_option("-f,--stepfactor", options.factor, "Each size is so many times the last")
        ->capture_default_str();
}

void add_group(CLI::App& command, CommOptions& options)
{
    command
        .add_option("--ranks", options.ranks,
                    "How many GPUs take part, node by node, or which: 0-7,16 or 0-63:8 [all]")
        ->type_name("RANKS");
    command
        .add_option("--groups", options.groups, "So many equal groups of them do the same at once")
        ->capture_default_str();
    command.add_flag("--strided", options.strided,
                     "A group takes every so many-th GPU, not neighbours");
    command
        .add_option("--concurrent", options.beside,
                    "Another collective at the same time; may be repeated")
        ->type_name("COLLECTIVE")
        ->allow_extra_args(false);
    command
        .add_option("--parts", options.parts,
                    "Uneven alltoall: a line for each rank, what it sends to each, relative")
        ->type_name("FILE.csv");
}

void add_seeds(CLI::App& command, CommOptions& options)
{
    command.add_option("--seed", options.seed, "Of hashed routes and random placement")
        ->type_name("NUMBER")
        ->capture_default_str();
    command
        .add_option("--seeds", options.seeds,
                    "Measure with so many seeds from --seed on and tell mean, 5th and 95th "
                    "percentile; once when nothing depends on the seed")
        ->check(CLI::Range(1, kMostSeeds))
        ->type_name("NUMBER");
}

}  // namespace

Action add_comm(CLI::App& program)
{
    auto options = std::make_shared<CommOptions>();
    options->common.engine = "native";
    auto* command = program.add_subcommand("comm", "Time a collective over a range of sizes");
    command
        ->add_option("collective", options->collective,
                     "all_reduce, all_gather, reduce_scatter, alltoall, broadcast, reduce, "
                     "sendrecv or barrier")
        ->required();
    command->add_option("--cluster", options->common.file, "The machine, YAML")
        ->required()
        ->type_name("FILE");
    add_sizes(*command, *options);
    add_group(*command, *options);
    command
        ->add_option("--algorithm", options->algorithm,
                     "auto (as the library would), ring, tree, nvls, nvls_tree, multimem, sharp, "
                     "hierarchical, hierarchical_tree, hierarchical_3, torus, direct, "
                     "halving_doubling, bruck or pat")
        ->capture_default_str();
    add_seeds(*command, *options);
    command
        ->add_option("--set", options->common.settings,
                     "Replace the value at a dotted key of the cluster; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command->add_option("-o,--output", options->common.output, "Write all rows there")
        ->type_name("FILE.h5");
    command->add_option("--format", options->common.format, "table, csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->type_name("FORMAT")
        ->capture_default_str();
    command->add_flag("--explain", options->explain,
                      "Say what binds, and what crossed it, for each size");
    command->footer(
        "Example:\n"
        "  weftsim comm all_reduce --cluster topologies/hgx-h100-2node.yaml -b 8 -e 16G -f 2\n"
        "Sizes and bandwidths are nccl-tests': size is the larger buffer of a rank, G is 2^30,\n"
        "busbw is algbw times 2(n-1)/n, (n-1)/n or 1. Times are out of place. There is no\n"
        "average over sizes: it would say what sizes were asked for.");
    return [options] { return do_comm(*options); };
}

}  // namespace sim::cli
