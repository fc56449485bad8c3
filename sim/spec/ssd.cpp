#include "spec/ssd.hpp"

#include <fmt/format.h>

#include "spec/checker.hpp"

namespace sim::spec
{

namespace
{

void check_flash(Checker& check, const FlashSpec& flash)
{
    check.at_least("flash.channels", flash.channels, 1);
    check.at_least("flash.dies", flash.dies, 1);
    check.at_least("flash.planes", flash.planes, 1);
    check.within("flash.reads_at_once", flash.reads_at_once, 1, std::max(1, flash.planes));
    check.positive("flash.page", flash.page, "16 KiB");
    check.at_least("flash.pages_per_block", flash.pages_per_block, 1);
    check.within("flash.program_pages", flash.program_pages, 1, 16);
    check.positive("flash.die", flash.die, "128 GiB");
    check.positive("flash.tR", flash.tR, "50 us");
    check.positive("flash.tPROG", flash.tPROG, "600 us");
    check.positive("flash.tERASE", flash.tERASE, "5 ms");
    check.positive("flash.bus", flash.bus, "2.4 GB/s");
    check.positive("flash.read_unit", flash.read_unit, "4 KiB");
    if (flash.read_unit > flash.page) {
        check.error("flash.read_unit",
                    fmt::format("is {}, more than the page of {}", to_text(flash.read_unit),
                                to_text(flash.page)),
                    {});
    }
}

void check_link(Checker& check, const SsdSpec& ssd)
{
    if (ssd.pcie.has_value() == ssd.link.has_value()) {
        check.error("pcie", "is how the host reaches the drive, or link is; one of them is due",
                    "write pcie: { generation: 5, lanes: 4, efficiency: 0.89 } or link: 1.6 TB/s");
        return;
    }
    if (ssd.pcie) {
        check.within("pcie.generation", ssd.pcie->generation, 3, 7);
        check.within("pcie.lanes", ssd.pcie->lanes, 1, 16);
        check.share("pcie.efficiency", ssd.pcie->efficiency);
    } else {
        check.positive("link", *ssd.link, "1.6 TB/s");
    }
}

void check_space(Checker& check, const SsdSpec& ssd)
{
    check.positive("capacity", ssd.capacity, "7.68 TB");
    if (!(ssd.reserved_share >= 0 && ssd.reserved_share < 1)) {
        check.error("reserved_share", "must be from 0 to below 1", {});
        return;
    }
    const auto raw = raw_capacity(ssd);
    const auto usable = static_cast<double>(raw.base()) * (1 - ssd.reserved_share);
    if (usable <= static_cast<double>(ssd.capacity.base())) {
        check.error("capacity",
                    fmt::format("is {}, but {} of flash less {:.1f} % in reserve leave no spare "
                                "room beside it",
                                to_text(ssd.capacity), to_text(raw), 100 * ssd.reserved_share),
                    "garbage collection needs some");
    }
    if (ssd.slc.size < Bytes{} || ssd.slc.size > raw) {
        check.error("slc.size",
                    fmt::format("is {} of {} of flash", to_text(ssd.slc.size), to_text(raw)), {});
    } else if (ssd.slc.size > Bytes{}) {
        check.positive("slc.tPROG", ssd.slc.tPROG, "150 us");
    }
}

}  // namespace

Bytes raw_capacity(const SsdSpec& ssd)
{
    return ssd.flash.die * ssd.flash.channels * ssd.flash.dies;
}

Bandwidth link_bandwidth(const SsdSpec& ssd)
{
    return ssd.link ? *ssd.link : raw_bandwidth(*ssd.pcie) * ssd.pcie->efficiency;
}

Diagnostics validate(const SsdSpec& ssd, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check_flash(check, ssd.flash);
    check_link(check, ssd);
    if (has_errors(diagnostics)) {
        return diagnostics;
    }
    check_space(check, ssd);
    check.positive("controller.read_latency", ssd.controller.read_latency, "15 us");
    check.positive("controller.write_latency", ssd.controller.write_latency, "15 us");
    if (ssd.controller.flash_write) {
        check.positive("controller.flash_write", *ssd.controller.flash_write, "10 GB/s");
    }
    if (ssd.controller.commands) {
        check.positive("controller.commands", *ssd.controller.commands, "3300000");
    }
    if (!(ssd.controller.map_misses >= 0 && ssd.controller.map_misses <= 1)) {
        check.error("controller.map_misses", "must be from 0 to 1", {});
    }
    check.not_negative("endurance.drive_writes_per_day", ssd.endurance.drive_writes_per_day);
    check.not_negative("endurance.years", ssd.endurance.years);
    check.within("sheet.queue_depth", ssd.sheet.queue_depth, 1, 65536);
    check.within("sheet.mixed_queue_depth", ssd.sheet.mixed_queue_depth, 1, 65536);
    return diagnostics;
}

Diagnostics validate(const HddSpec& hdd, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check.positive("capacity", hdd.capacity, "18 TB");
    check.positive("outer", hdd.outer, "270 MB/s");
    check.positive("inner", hdd.inner, "120 MB/s");
    check.positive("revolution", hdd.revolution, "8.33 ms");
    check.positive("seek", hdd.seek, "8.2 ms");
    check.not_negative("command", hdd.command);
    check.within("queue_depth", hdd.queue_depth, 1, 65536);
    if (hdd.inner > hdd.outer) {
        check.error("inner",
                    fmt::format("is {}, faster than the outer tracks' {}", to_text(hdd.inner),
                                to_text(hdd.outer)),
                    {});
    }
    return diagnostics;
}

}  // namespace sim::spec
