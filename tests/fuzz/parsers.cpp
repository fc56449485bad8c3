#include "fuzz/parsers.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/comm_groups.hpp"
#include "cli/comm_size.hpp"
#include "cli/csv_reader.hpp"
#include "config/expression.hpp"
#include "config/load.hpp"
#include "core/hostlist.hpp"
#include "core/quantity_text.hpp"
#include "formats/aicb.hpp"
#include "formats/chakra.hpp"
#include "formats/goal.hpp"
#include "formats/kineto_job.hpp"
#include "formats/layer_workload.hpp"
#include "formats/plan.hpp"
#include "formats/pytorch_et.hpp"
#include "formats/topology_write.hpp"
#include "formats/trace_graph.hpp"
#include "memory/access_pattern.hpp"
#include "memory/memory_trace.hpp"
#include "spec/dram_mapping.hpp"

namespace sim::fuzz
{
namespace
{

/// For readers that open files; one for each process, since many run side by side.
class TextFile
{
public:
    explicit TextFile(const std::string& text)
        : path_{std::filesystem::temp_directory_path() /
                ("weftsim-fuzz-" + std::to_string(getpid()) + ".yaml")}
    {
        std::ofstream{path_, std::ios::binary} << text;
    }
    ~TextFile() { std::filesystem::remove(path_); }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// What is imported is also written, with the parts that the file cannot know, and read back.
void topology(const std::string& text, const std::string& kind)
{
    const auto read = formats::parse_topology("input", text, {.kind = kind, .inner_dimensions = 1});
    formats::TopologyParts parts;
    parts.hardware = WEFTSIM_SOURCE_DIR "/configs/hardware";
    parts.gpu = "h100-sxm";
    parts.nvlink = "nvlink4-h100";
    parts.pcie = "gen5-x16";
    parts.nic = "connectx-7";
    parts.device = read.device ? "" : "51.2t";
    parts.collective = "nccl";
    parts.gpus_per_node = read.inside.gpus ? std::nullopt : std::optional{8};
    parts.nics_per_node = read.inside.nics ? std::nullopt : std::optional{8};
    const auto written = formats::write_topology(read, parts, "input");
    (void)config::load_cluster(TextFile{written.yaml}.path(), {});
}

/// Read, and written with answers to whatever the file leaves open.
void plan(const std::string& text, const std::string& kind)
{
    formats::PlanAnswers answers;
    answers.framework = "framework.yaml";
    answers.sequence = 4096;
    answers.micro_batch = 1;
    answers.global_batch = 512;
    answers.vocab = 51200;
    answers.gpus = 64;
    answers.precision = "bf16";
    auto read = formats::parse_plan("input", text, kind);
    (void)formats::write_plan(read, answers, "input");
    answers.model = "config.json";
    (void)formats::write_plan(std::move(read), answers, "input");
}

/// Bytes in memory, a few at a time.
class TextBytes final : public formats::ByteSource
{
public:
    explicit TextBytes(const std::string& text) : text_{text} {}

    std::size_t read(std::span<char> buffer) override
    {
        constexpr std::size_t most = 64;
        const auto size = std::min({buffer.size(), text_.size() - at_, most});
        text_.copy(buffer.data(), size, at_);
        at_ += size;
        return size;
    }

private:
    const std::string& text_;
    std::size_t at_ = 0;
};

void chakra(const std::string& text)
{
    formats::ChakraReader reader{1024};
    TextBytes bytes{text};
    reader.add("input.0.et", bytes);
    (void)formats::trace_graph(reader.take());
}

void chakra_groups(const std::string& text)
{
    formats::ChakraReader reader{1024};
    TextBytes bytes{text};
    reader.add("input.json", bytes);
    (void)reader.take();
}

void goal(const std::string& text)
{
    (void)formats::trace_graph(formats::read_goal("input", text));
}

void layers(const std::string& text)
{
    if (formats::is_layer_workload(text)) {
        (void)formats::trace_graph(formats::read_layer_workload("input", text, 8));
    }
}

void kineto(const std::string& text)
{
    const spec::TraceSpec asked;
    formats::KinetoJob job{asked};
    TextBytes bytes{text};
    job.add("input.json", bytes);
    (void)formats::trace_graph(job.take());
}

void pytorch_et(const std::string& text)
{
    formats::PytorchEtJob job;
    TextBytes bytes{text};
    job.add("input.json", bytes);
    (void)formats::trace_graph(job.take());
}

void aicb(const std::string& text)
{
    if (formats::is_aicb(text)) {
        (void)formats::trace_graph(formats::read_aicb("input", text, 8));
    }
}

/// Inputs name shipped files by SOURCE, since they do not stand beside them.
std::string from_source(std::string text)
{
    const std::string word = "SOURCE";
    const std::string source = WEFTSIM_SOURCE_DIR;
    for (auto at = text.find(word); at != std::string::npos;
         at = text.find(word, at + source.size())) {
        text.replace(at, word.size(), source);
    }
    return text;
}

void experiment(const std::string& text)
{
    (void)config::load_experiment(TextFile{from_source(text)}.path(), {});
}

void sweep(const std::string& text)
{
    (void)config::load_sweep(TextFile{from_source(text)}.path(), {});
}

void expression(const std::string& text)
{
    const std::vector<std::string> names{"a", "cluster.nodes"};
    if (config::expression_mistake(text, names).empty()) {
        (void)config::Expression{text, names}.value({2, 3});
    }
}

spec::DramSpec memory()
{
    spec::DramSpec dram;
    dram.channels = 2;
    dram.bank_groups = 4;
    dram.banks_per_group = 4;
    dram.timing.tCK = Time::of(1e-9);
    return dram;
}

void trace(const std::string& text)
{
    (void)memory::read_trace(TextFile{text}.path(), memory(), std::uint64_t{1} << 34U);
}

void mapping(const std::string& text)
{
    auto dram = memory();
    dram.mapping.order = text;
    (void)spec::address_order(dram);
}

void quantities(const std::string& text)
{
    (void)parse<Time>(text);
    (void)parse<Bytes>(text);
    const auto rate = parse<Bandwidth>(text);
    if (rate) {
        (void)to_text(*rate.value);
        (void)parse<Bandwidth>(to_exact_text(*rate.value));
    }
}

void table(const std::string& text)
{
    const cli::CsvTable read{TextFile{text}.path()};
    for (const auto& row : read.rows()) {
        (void)row.number("time_s");
        (void)row.count("ranks");
    }
}

constexpr Parser kParsers[] = {
    {"nvidia_smi", [](const std::string& text) { topology(text, "nvidia-smi"); }},
    {"ibnetdiscover", [](const std::string& text) { topology(text, "ibnetdiscover"); }},
    {"simai", [](const std::string& text) { topology(text, "simai"); }},
    {"slurm", [](const std::string& text) { topology(text, "slurm"); }},
    {"topograph", [](const std::string& text) { topology(text, "topograph"); }},
    {"astra_sim", [](const std::string& text) { topology(text, "astra-sim"); }},
    {"nccl", [](const std::string& text) { topology(text, "nccl"); }},
    {"simgrid", [](const std::string& text) { topology(text, "simgrid"); }},
    {"recognised", [](const std::string& text) { topology(text, ""); }},
    {"deepspeed", [](const std::string& text) { plan(text, "deepspeed"); }},
    {"megatron", [](const std::string& text) { plan(text, "megatron"); }},
    {"megatron_yaml", [](const std::string& text) { plan(text, "megatron-yaml"); }},
    {"torchtitan", [](const std::string& text) { plan(text, "torchtitan"); }},
    {"accelerate", [](const std::string& text) { plan(text, "accelerate"); }},
    {"llm_foundry", [](const std::string& text) { plan(text, "llm-foundry"); }},
    {"neox", [](const std::string& text) { plan(text, "neox"); }},
    {"maxtext", [](const std::string& text) { plan(text, "maxtext"); }},
    {"recognised_plan", [](const std::string& text) { plan(text, ""); }},
    {"chakra", chakra},
    {"chakra_groups", chakra_groups},
    {"goal", goal},
    {"layers", layers},
    {"kineto", kineto},
    {"pytorch_et", pytorch_et},
    {"aicb", aicb},
    {"experiment", experiment},
    {"sweep", sweep},
    {"model", [](const std::string& text) { (void)config::load_model(TextFile{text}.path()); }},
    {"expression", expression},
    {"cluster",
     [](const std::string& text) { (void)config::load_cluster(TextFile{text}.path(), {}); }},
    {"hosts", [](const std::string& text) { (void)expand_hostlist(text); }},
    {"quantities", quantities},
    {"memory_trace", trace},
    {"memory_pattern", [](const std::string& text) { (void)memory::pattern_by_name(text); }},
    {"memory_mapping", mapping},
    {"table", table},
    {"sizes", [](const std::string& text) { (void)cli::parse_comm_size(text, "-b"); }},
    {"ranks", [](const std::string& text) { (void)cli::parse_ranks(text, 64); }},
    {"parts",
     [](const std::string& text) { (void)cli::read_parts(TextFile{text}.path(), 3, 1e9); }},
};

}  // namespace

std::span<const Parser> parsers() { return kParsers; }

}  // namespace sim::fuzz
