#include "config/read_memory.hpp"

#include <array>
#include <utility>

#include "config/documents.hpp"
#include "config/map_reader.hpp"
#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

const Vocabulary<spec::PagePolicy>& page_words()
{
    static const Vocabulary<spec::PagePolicy> table{{"open", spec::PagePolicy::open},
                                                    {"closed", spec::PagePolicy::closed},
                                                    {"single_use", spec::PagePolicy::single_use}};
    return table;
}

const Vocabulary<spec::Refresh>& refresh_words()
{
    static const Vocabulary<spec::Refresh> table{{"none", spec::Refresh::none},
                                                 {"all_bank", spec::Refresh::all_bank},
                                                 {"per_bank", spec::Refresh::per_bank},
                                                 {"hidden", spec::Refresh::hidden}};
    return table;
}

const Vocabulary<spec::Permutation>& permutation_words()
{
    static const Vocabulary<spec::Permutation> table{{"row", spec::Permutation::row},
                                                     {"column", spec::Permutation::column},
                                                     {"none", spec::Permutation::none}};
    return table;
}

constexpr std::array kTimings{"tCK",    "tCL",    "tCWL",     "tRCD_read", "tRCD_write",
                              "tRP",    "tRAS",   "tRC",      "tCCD_S",    "tCCD_L",
                              "tRRD_S", "tRRD_L", "tFAW",     "tWR",       "tWTR_S",
                              "tWTR_L", "tRTP",   "tRFC_all", "tRFC_bank", "tREFI"};

spec::DramTiming read_timing(MapReader reader)
{
    spec::DramTiming timing;
    for (const auto* name : kTimings) {
        *spec::find_timing(timing, name) = reader.required(name, quantity<Time>("14 ns"));
    }
    timing.tCCD_L_write = reader.optional("tCCD_L_write", quantity<Time>("20 ns"));
    timing.tCCD_R = reader.optional("tCCD_R", quantity<Time>("1.9 ns"));
    timing.tRTW = reader.optional("tRTW", quantity<Time>("12.5 ns"));
    reader.finish();
    return timing;
}

spec::DramController read_controller(MapReader reader)
{
    spec::DramController controller;
    controller.read_queue = reader.required("read_queue", count("64"));
    controller.write_queue = reader.required("write_queue", count("64"));
    controller.write_high = reader.required("write_high", real_number("0.8"));
    controller.write_low = reader.required("write_low", real_number("0.2"));
    controller.page = reader.required("page", choice(page_words()));
    controller.refresh = reader.required("refresh", choice(refresh_words()));
    controller.opened_leave_queue = reader.defaulted("opened_leave_queue", truth("true"), "false");
    controller.idle_drains = reader.defaulted("idle_drains", truth("true"), "true");
    controller.starvation = reader.required("starvation", quantity<Time>("4 us"));
    reader.finish();
    return controller;
}

spec::DramMapping read_mapping(MapReader reader)
{
    spec::DramMapping mapping;
    mapping.order = reader.required("order", words("row-rank-bank-column-pseudo-group"));
    mapping.channel_interleave = reader.required("channel_interleave", quantity<Bytes>("256 B"));
    mapping.permutation = reader.defaulted("permutation", choice(permutation_words()), "row");
    reader.finish();
    return mapping;
}

spec::DramEcc read_ecc(MapReader reader)
{
    spec::DramEcc ecc;
    ecc.data_bursts_per_check = reader.defaulted("data_bursts_per_check", count("16"), "0");
    ecc.capacity_share = reader.defaulted("capacity_share", real_number("0.0625"), "0");
    reader.finish();
    return ecc;
}

spec::DramThermal read_thermal(MapReader reader)
{
    spec::DramThermal thermal;
    thermal.celsius = reader.required("celsius", real_number("65"));
    thermal.refresh_doubles_above = reader.required("refresh_doubles_above", real_number("85"));
    thermal.throttles_above = reader.required("throttles_above", real_number("95"));
    thermal.throttled_share = reader.required("throttled_share", real_number("0.5"));
    reader.finish();
    return thermal;
}

spec::DramEnergy read_energy(MapReader reader)
{
    spec::DramEnergy energy;
    energy.activate_nj = reader.required("activate_nj", real_number("0.8"));
    energy.read_pj_per_bit = reader.required("read_pj_per_bit", real_number("1.6"));
    energy.write_pj_per_bit = reader.required("write_pj_per_bit", real_number("2.1"));
    energy.refresh_nj = reader.required("refresh_nj", real_number("30"));
    energy.background = reader.required("background", quantity<Power>("0.033 W"));
    energy.io_pj_per_bit = reader.required("io_pj_per_bit", real_number("1.9"));
    reader.finish();
    return energy;
}

std::vector<spec::TimingRange> read_ranges(MapReader reader)
{
    std::vector<spec::TimingRange> ranges;
    for (const auto* name : kTimings) {
        const auto ends = reader.optional_list(name, quantity<Time>("14 ns"));
        if (!ends) {
            continue;
        }
        if (ends->size() == 2) {
            ranges.push_back({name, ends->front(), ends->back()});
        } else {
            reader.report().error(reader.report().place_of(reader.path(name)), reader.path(name),
                                  "is no range", "write [least, most], such as [15 ns, 30 ns]");
        }
    }
    reader.finish();
    return ranges;
}

void read_shape(MapReader& reader, spec::DramSpec& dram)
{
    dram.name = reader.required("name", words("HBM3 16 GiB stack"));
    dram.kind = reader.required("kind", words("HBM3"));
    dram.channels = reader.required("channels", count("16"));
    dram.pseudo_channels = reader.required("pseudo_channels", count("2"));
    dram.ranks = reader.required("ranks", count("2"));
    dram.independent_ranks = reader.defaulted("independent_ranks", truth("true"), "false");
    dram.bank_groups = reader.required("bank_groups", count("4"));
    dram.banks_per_group = reader.required("banks_per_group", count("4"));
    dram.rows = reader.required("rows", whole_number("16384"));
    dram.row = reader.required("row", quantity<Bytes>("1 KiB"));
    dram.width_bits = reader.required("width_bits", count("32"));
    dram.row_command_clocks = reader.defaulted("row_command_clocks", count("2"), "0");
    dram.burst_length = reader.required("burst_length", count("8"));
    dram.pin_rate = reader.required("pin_rate", quantity<Bandwidth>("6.4 Gbps"));
    dram.bandwidth = reader.required("bandwidth", quantity<Bandwidth>("819.2 GB/s"));
    dram.capacity = reader.required("capacity", quantity<Bytes>("16 GiB"));
}

}  // namespace

spec::DramSpec read_dram(MapReader reader)
{
    spec::DramSpec dram;
    read_shape(reader, dram);
    dram.timing = read_timing(reader.section("timing", "{ tCK: 0.625 ns, ... }"));
    dram.controller = read_controller(reader.section("controller", "{ read_queue: 64, ... }"));
    dram.mapping = read_mapping(reader.section("mapping", "{ order: row-bank-..., ... }"));
    dram.ecc = read_ecc(reader.optional_section("ecc"));
    dram.thermal = read_thermal(reader.section("thermal", "{ celsius: 65, ... }"));
    dram.energy = read_energy(reader.section("energy", "{ activate_nj: 0.8, ... }"));
    dram.estimated_from = reader.optional("estimated_from", words("hbm3.yaml")).value_or("");
    dram.ranges = read_ranges(reader.optional_section("ranges"));
    reader.finish();
    return dram;
}

spec::GpuHbmSpec read_hbm(MapReader reader)
{
    spec::GpuHbmSpec hbm;
    hbm.device = read_dram(reader.section("device", "{ extends: ../memory/hbm3.yaml }"));
    hbm.stacks = reader.required("stacks", count("5"));
    hbm.read_factor = reader.required("read_factor", real_number("0.95"));
    const auto rate = reader.optional("pin_rate", quantity<Bandwidth>("5.23 Gbps"));
    if (rate && *rate > Bandwidth{} && hbm.device.pin_rate > Bandwidth{}) {
        hbm.device = spec::at_pin_rate(hbm.device, *rate);
    }
    reader.finish();
    return hbm;
}

LoadedDram load_dram(const std::string& path, const std::vector<Override>& overrides)
{
    Documents documents;
    const auto root = documents.load(path, overrides);
    Report report;
    LoadedDram loaded;
    loaded.spec = read_dram(MapReader{report, root});
    if (!report.failed()) {
        report.add_placed(spec::validate(loaded.spec, ""));
    }
    report.throw_if_failed();
    loaded.warnings = report.found();
    loaded.input_text = documents.input_text();
    return loaded;
}

spec::GpuMemorySpec read_gpu_memory(MapReader reader)
{
    spec::GpuMemorySpec gpu;
    gpu.name = reader.required("name", words("V100 SXM2"));
    gpu.dram = read_dram(reader.section("dram", "{ extends: ../hbm2.yaml }"));
    gpu.stacks = reader.required("stacks", count("4"));
    const auto rate = reader.optional("gpu_pin_rate", quantity<Bandwidth>("1.754 Gbps"));
    gpu.sms = reader.required("sms", count("80"));
    gpu.threads_per_sm = reader.required("threads_per_sm", count("2048"));
    gpu.latency = reader.required("latency", quantity<Time>("317 ns"));
    gpu.block_turnover = reader.required("block_turnover", quantity<Time>("268 ns"));
    gpu.read_factor = reader.required("read_factor", real_number("0.96"));
    reader.finish();
    if (!reader.report().failed() && rate && *rate > Bandwidth{}) {
        gpu.dram = spec::at_pin_rate(gpu.dram, *rate);
    }
    return gpu;
}

spec::GpuMemorySpec load_gpu_memory(const std::string& path, const std::vector<Override>& overrides)
{
    Documents documents;
    const auto root = documents.load(path, overrides);
    Report report;
    auto gpu = read_gpu_memory(MapReader{report, root});
    if (!report.failed()) {
        report.add_placed(spec::validate(gpu, ""));
    }
    report.throw_if_failed();
    return gpu;
}

spec::GpuHbmSpec load_hbm(const std::string& path, const std::vector<Override>& overrides)
{
    Documents documents;
    const auto root = documents.load(path, overrides);
    Report report;
    const auto hbm = read_hbm(MapReader{report, root});
    if (!report.failed()) {
        report.add_placed(spec::validate(hbm.device, "device"));
    }
    report.throw_if_failed();
    return hbm;
}

}  // namespace sim::config
