#include "config/read_storage.hpp"

#include "config/documents.hpp"
#include "config/map_reader.hpp"

namespace sim::config
{

namespace
{

spec::FlashSpec read_flash(MapReader reader)
{
    spec::FlashSpec flash;
    flash.channels = reader.required("channels", count("16"));
    flash.dies = reader.required("dies", count("4"));
    flash.planes = reader.required("planes", count("6"));
    flash.reads_at_once = reader.required("reads_at_once", count("6"));
    flash.page = reader.required("page", quantity<Bytes>("16 KiB"));
    flash.pages_per_block = reader.required("pages_per_block", count("2304"));
    flash.program_pages = reader.required("program_pages", count("3"));
    flash.die = reader.required("die", quantity<Bytes>("128 GiB"));
    flash.tR = reader.required("tR", quantity<Time>("50 us"));
    flash.tPROG = reader.required("tPROG", quantity<Time>("600 us"));
    flash.tERASE = reader.required("tERASE", quantity<Time>("5 ms"));
    flash.bus = reader.required("bus", quantity<Bandwidth>("2.4 GB/s"));
    flash.read_unit = reader.required("read_unit", quantity<Bytes>("4 KiB"));
    reader.finish();
    return flash;
}

spec::SlcCacheSpec read_slc(MapReader reader)
{
    spec::SlcCacheSpec slc;
    if (reader.present()) {
        slc.size = reader.required("size", quantity<Bytes>("114 GB"));
        slc.tPROG = reader.required("tPROG", quantity<Time>("150 us"));
        slc.folds = reader.required("folds", truth("true"));
    }
    reader.finish();
    return slc;
}

spec::SsdControllerSpec read_controller(MapReader reader)
{
    spec::SsdControllerSpec controller;
    controller.read_latency = reader.required("read_latency", quantity<Time>("10 us"));
    controller.write_latency = reader.required("write_latency", quantity<Time>("15 us"));
    controller.flash_write = reader.optional("flash_write", quantity<Bandwidth>("10 GB/s"));
    controller.commands = reader.optional("commands", real_number("3300000"));
    controller.map_misses = reader.defaulted("map_misses", real_number("0.5"), "0");
    reader.finish();
    return controller;
}

std::optional<spec::PcieSpec> read_link(MapReader reader)
{
    if (!reader.present()) {
        return std::nullopt;
    }
    spec::PcieSpec pcie;
    pcie.generation = reader.required("generation", count("5"));
    pcie.lanes = reader.required("lanes", count("4"));
    pcie.efficiency = reader.required("efficiency", real_number("0.89"));
    reader.finish();
    return pcie;
}

spec::EnduranceSpec read_endurance(MapReader reader)
{
    spec::EnduranceSpec endurance;
    endurance.drive_writes_per_day = reader.required("drive_writes_per_day", real_number("1"));
    endurance.years = reader.required("years", real_number("5"));
    reader.finish();
    return endurance;
}

spec::SsdSheet read_sheet(MapReader reader)
{
    spec::SsdSheet sheet;
    sheet.sequential_read = reader.optional("sequential_read", quantity<Bandwidth>("14 GB/s"));
    sheet.sequential_write = reader.optional("sequential_write", quantity<Bandwidth>("10 GB/s"));
    sheet.random_read = reader.optional("random_read_iops", real_number("3300000"));
    sheet.random_write = reader.optional("random_write_iops", real_number("400000"));
    sheet.sequential_endurance = reader.optional("sequential_endurance", real_number("2.1"));
    sheet.mixed = reader.optional("mixed_iops", real_number("1300000"));
    sheet.queue_depth = reader.defaulted("queue_depth", count("1024"), "1024");
    sheet.mixed_queue_depth = reader.defaulted("mixed_queue_depth", count("128"), "128");
    reader.finish();
    return sheet;
}

template <class Spec>
LoadedStorage<Spec> load(const std::string& path, const std::vector<Override>& overrides,
                         Spec (*read)(MapReader))
{
    Documents documents;
    const auto root = documents.load(path, overrides);
    Report report;
    LoadedStorage<Spec> loaded;
    loaded.spec = read(MapReader{report, root});
    if (!report.failed()) {
        report.add_placed(spec::validate(loaded.spec, ""));
    }
    report.throw_if_failed();
    loaded.warnings = report.found();
    loaded.input_text = documents.input_text();
    return loaded;
}

}  // namespace

spec::HddSpec read_hdd(MapReader reader)
{
    spec::HddSpec hdd;
    hdd.name = reader.required("name", words("7200 rpm, 18 TB"));
    hdd.capacity = reader.required("capacity", quantity<Bytes>("18 TB"));
    hdd.outer = reader.required("outer", quantity<Bandwidth>("270 MB/s"));
    hdd.inner = reader.required("inner", quantity<Bandwidth>("120 MB/s"));
    hdd.revolution = reader.required("revolution", quantity<Time>("8.33 ms"));
    hdd.seek = reader.required("seek", quantity<Time>("8.2 ms"));
    hdd.command = reader.required("command", quantity<Time>("0.3 ms"));
    hdd.queue_depth = reader.required("queue_depth", count("32"));
    reader.finish();
    return hdd;
}

spec::SsdSpec read_ssd(MapReader reader)
{
    spec::SsdSpec ssd;
    ssd.name = reader.required("name", words("Micron 9550 PRO 7.68 TB"));
    ssd.kind = reader.required("kind", words("NVMe TLC"));
    ssd.capacity = reader.required("capacity", quantity<Bytes>("7.68 TB"));
    ssd.flash = read_flash(reader.section("flash", "{ channels: 16, ... }"));
    ssd.slc = read_slc(reader.optional_section("slc"));
    ssd.controller = read_controller(reader.section("controller", "{ read_latency: 10 us, ... }"));
    ssd.pcie = read_link(reader.optional_section("pcie"));
    ssd.link = reader.optional("link", quantity<Bandwidth>("1.6 TB/s"));
    ssd.reserved_share = reader.required("reserved_share", real_number("0.03"));
    ssd.endurance = read_endurance(reader.section("endurance", "{ drive_writes_per_day: 1, ... }"));
    ssd.sheet = read_sheet(reader.optional_section("sheet"));
    ssd.estimated_from = reader.optional("estimated_from", words("the sheet")).value_or("");
    reader.finish();
    return ssd;
}

DeviceKind device_kind(const std::string& path, const std::vector<Override>& overrides)
{
    Documents documents;
    const auto root = documents.load(path, overrides);
    return root.find("flash") != nullptr        ? DeviceKind::ssd
           : root.find("revolution") != nullptr ? DeviceKind::hdd
           : root.find("dram") != nullptr       ? DeviceKind::gpu_memory
                                                : DeviceKind::dram;
}

LoadedStorage<spec::SsdSpec> load_ssd(const std::string& path,
                                      const std::vector<Override>& overrides)
{
    return load<spec::SsdSpec>(path, overrides, read_ssd);
}

LoadedStorage<spec::HddSpec> load_hdd(const std::string& path,
                                      const std::vector<Override>& overrides)
{
    return load<spec::HddSpec>(path, overrides, read_hdd);
}

}  // namespace sim::config
