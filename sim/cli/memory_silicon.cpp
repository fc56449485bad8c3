#include "cli/memory_silicon.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/csv_reader.hpp"
#include "config/read_memory.hpp"
#include "core/literals.hpp"
#include "memory/access_class.hpp"
#include "memory/closed_form.hpp"
#include "memory/gpu_stream.hpp"

namespace sim::cli
{
namespace
{

using namespace literals;

constexpr const char* kKernels[] = {"write", "read", "scale", "triad"};
constexpr int kRead = 1;
constexpr double kStillGrows = 0.06;  ///< from one block size to the next: not saturated

memory::GpuStream kernel(int index, int threads)
{
    constexpr int kReads[] = {0, 1, 1, 2};
    return {kReads[index], index == kRead ? 0 : 1, threads, 2};
}

spec::GpuMemorySpec gpu_of(const SiliconFiles& files, const std::string& name)
{
    return config::load_gpu_memory(fmt::format("{}/gpu/{}.yaml", files.hardware, name), {});
}

double predicted(const spec::GpuMemorySpec& gpu, int index, int threads)
{
    return memory::gpu_stream(gpu, kernel(index, threads)).achieved / 1_GBps;
}

bool is_last(const std::vector<CsvRow>& rows, std::size_t i)
{
    return i + 1 == rows.size() || rows[i + 1].text("gpu") != rows[i].text("gpu");
}

/// Reads at that block size are still faster than at the one before: no place to fit.
bool grows(const std::vector<CsvRow>& rows, std::size_t i)
{
    return i == 0 || rows[i].number("read") / rows[i - 1].number("read") > 1 + kStillGrows;
}

spec::DramSpec cpu_memory(const SiliconFiles& files, const CsvRow& row)
{
    const auto path = fmt::format("{}/{}.yaml", files.hardware, row.text("device"));
    const auto rate = 1_Mbps * row.number("pin_rate_MTps");
    return spec::at_pin_rate(config::load_dram(path, {}).spec, rate);
}

/// Latency of a load while reads move `wanted` of the pins' bandwidth, in ns: idle, and what the
/// reads wait longer than a lone one.
double loaded_latency(const spec::DramSpec& dram, Time idle, double wanted)
{
    auto few = dram;
    few.channels = std::min(dram.channels, 2);
    const memory::DramSystem system{few, 1};
    const auto reads = memory::pattern_by_name("random-1024");
    const auto way = std::max(Time{}, idle - memory::closed_form(few, reads).idle_read);
    const auto length = system.bursts_per_interval();
    const auto at = [&](int users) {
        return system.loop(reads, {users, {}, way}, {length / 4, length});
    };
    const auto alone = at(1).read_latency;
    memory::DramResult result;
    // As many cores' requests on the way as it takes; each waits for its own.
    for (int users = 2; users < 4096 && result.fraction < wanted; users += 1 + users / 16) {
        result = at(users);
    }
    return (idle + result.read_latency - alone) / 1_ns;
}

void add_latencies(std::vector<SiliconRow>& rows, const CsvRow& row, const spec::DramSpec& dram,
                   double peak)
{
    const auto idle = 1_ns * row.number("idle_ns");
    const auto read = row.number("read");
    const std::pair<const char*, double> points[] = {{"half_ns", 0.5}, {"four_fifths_ns", 0.8}};
    for (const auto& [column, share] : points) {
        if (read > 0) {
            rows.push_back({row.text("cpu"), fmt::format("latency at {:g}", share), "ns", 0, false,
                            false, row.number(column),
                            loaded_latency(dram, idle, share * read / peak)});
        }
    }
}

}  // namespace

std::vector<SiliconRow> compare_gpus(const SiliconFiles& files)
{
    const CsvTable table{files.measured + "/memory_silicon.csv"};
    std::vector<SiliconRow> rows;
    for (std::size_t i = 0; i < table.rows().size(); ++i) {
        const auto& row = table.rows()[i];
        const bool last = is_last(table.rows(), i);
        const auto gpu = gpu_of(files, row.text("gpu"));
        const int threads = row.count("threads");
        const bool fits = last && !grows(table.rows(), i);
        for (int k = 0; k < 4; ++k) {
            const auto measured = row.number(kKernels[k]);
            rows.push_back({row.text("gpu"), kKernels[k], "GB/s", threads, last, fits && k == kRead,
                            measured, predicted(gpu, k, threads)});
        }
    }
    return rows;
}

std::vector<SiliconRow> compare_cpus(const SiliconFiles& files)
{
    const CsvTable table{files.measured + "/memory_cpu.csv"};
    std::vector<SiliconRow> rows;
    for (const auto& row : table.rows()) {
        const auto dram = cpu_memory(files, row);
        const auto peak = spec::pin_bandwidth(dram) * row.count("modules") / 1_GBps;
        const auto classes = memory::derive_classes(dram, 1);
        const auto modelled = classes.of(memory::AccessClass::stream_read) * peak;
        // Without pure reads the mixes are as the model says.
        const auto factor = row.number("read", modelled) / modelled;
        const std::pair<const char*, memory::AccessClass> loads[] = {
            {"read", memory::AccessClass::stream_read},
            {"mix_2_1", memory::AccessClass::triad},
            {"mix_1_1", memory::AccessClass::copy}};
        for (const auto& [column, access] : loads) {
            if (const auto measured = row.number(column); measured > 0) {
                rows.push_back({row.text("cpu"), column, "GB/s", 0, true,
                                access == memory::AccessClass::stream_read, measured,
                                classes.of(access) * peak * factor});
            }
        }
        add_latencies(rows, row, dram, peak);
    }
    return rows;
}

std::vector<SiliconRow> compare_streams(const SiliconFiles& files)
{
    const CsvTable table{files.measured + "/memory_stream.csv"};
    std::vector<SiliconRow> rows;
    for (const auto& row : table.rows()) {
        const auto& name = row.text("stacks");
        const auto hbm =
            config::load_hbm(fmt::format("{}/stacks/{}.yaml", files.hardware, name), {});
        const auto peak = spec::pin_bandwidth(hbm.device) * hbm.stacks / 1_GBps;
        const auto classes = memory::derive_classes(hbm.device, hbm.read_factor);
        const std::pair<const char*, memory::AccessClass> loads[] = {
            {"copy", memory::AccessClass::copy}, {"triad", memory::AccessClass::triad}};
        for (const auto& [column, access] : loads) {
            rows.push_back({name, column, "GB/s", 0, true, false, 1000 * row.number(column),
                            classes.of(access) * peak});
        }
    }
    return rows;
}

std::vector<ReadFit> fit_reads(const SiliconFiles& files)
{
    const CsvTable table{files.measured + "/memory_silicon.csv"};
    std::vector<ReadFit> fits;
    for (std::size_t i = 1; i < table.rows().size(); ++i) {
        if (!is_last(table.rows(), i)) {
            continue;
        }
        const auto& row = table.rows()[i];
        const auto measured = row.number("read");
        auto gpu = gpu_of(files, row.text("gpu"));
        gpu.read_factor = 1;
        for (int step = 0; step < 3; ++step) {
            gpu.read_factor *= measured / predicted(gpu, kRead, row.count("threads"));
        }
        fits.push_back({row.text("gpu"), gpu.read_factor, !grows(table.rows(), i)});
    }
    return fits;
}

}  // namespace sim::cli
