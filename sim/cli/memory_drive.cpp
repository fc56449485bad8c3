#include "cli/memory_drive.hpp"

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "core/diagnostics.hpp"
#include "core/literals.hpp"
#include "core/quantity_text.hpp"
#include "memory/hdd.hpp"

namespace sim::cli
{
namespace
{

using namespace literals;
using memory::SsdLoad;

constexpr Bytes kLarge = 128_KiB;
constexpr Bytes kSmall = 4_KiB;

DriveAnswer answer(const spec::SsdSpec& ssd, std::string access, const SsdLoad& load, int drives)
{
    return {std::move(access), load, memory::striped_rate(ssd, load, drives), {}, {}};
}

void compare(DriveAnswer& answer, std::optional<double> sheet, int drives)
{
    if (sheet) {
        const auto predicted =
            answer.load.random ? answer.rate.per_second : answer.rate.bandwidth.base();
        answer.sheet = *sheet * drives;
        answer.error = predicted / *answer.sheet - 1;
    }
}

std::optional<double> base(const std::optional<Bandwidth>& rate)
{
    return rate ? std::optional{rate->base()} : std::nullopt;
}

std::string thousands(double per_second) { return fmt::format("{:.4g} k/s", per_second / 1000); }

/// Empty when the pattern is none a drive has.
std::optional<SsdLoad> load_of(const memory::PatternSpec& pattern)
{
    using Order = memory::PatternSpec::Order;
    SsdLoad load{.block = kLarge};
    load.reads = static_cast<double>(pattern.reads) / (pattern.reads + pattern.writes);
    if (pattern.order == Order::strided || pattern.reads + pattern.writes < 1) {
        return std::nullopt;
    }
    if (pattern.order != Order::streams) {
        load.random = true;
        load.block = pattern.block > Bytes{} ? pattern.block : kSmall;
    }
    return load;
}

std::string spare_text(const spec::SsdSpec& ssd)
{
    const auto full = memory::ssd_rate(ssd, {.block = kSmall, .random = true, .reads = 0});
    return fmt::format(
        "{} of {} of flash, {} of it in reserve: {:.2f} pages written a page of random writes\n",
        to_text(ssd.capacity), to_text(spec::raw_capacity(ssd)), percent(ssd.reserved_share),
        full.amplification);
}

std::string endurance_text(const spec::SsdSpec& ssd)
{
    return fmt::format("endurance     {:.0f} TB of random writes, {:.0f} TB in order\n",
                       memory::endurance_bytes(ssd, true) / 1e12,
                       memory::endurance_bytes(ssd, false) / 1e12);
}

std::string cache_text(const spec::SsdSpec& ssd)
{
    if (ssd.slc.size <= Bytes{}) {
        return {};
    }
    SsdLoad load{.block = kLarge, .reads = 0, .queue_depth = 64};
    const auto past = memory::ssd_rate(ssd, load).bandwidth;
    load.burst = true;
    return fmt::format("SLC cache     {}: writes at {} until it is full, then at {}\n",
                       to_text(ssd.slc.size), to_text(memory::ssd_rate(ssd, load).bandwidth),
                       to_text(past));
}

}  // namespace

std::vector<DriveAnswer> drive_answers(const spec::SsdSpec& ssd, int drives)
{
    const auto& sheet = ssd.sheet;
    const int depth = sheet.queue_depth * drives;
    const bool cached = ssd.slc.size > Bytes{};
    std::vector<DriveAnswer> all;
    const auto add = [&](std::string access, const SsdLoad& load, std::optional<double> stated) {
        all.push_back(answer(ssd, std::move(access), load, drives));
        compare(all.back(), stated, drives);
    };
    add("128 KiB sequential read", {.block = kLarge, .queue_depth = depth},
        base(sheet.sequential_read));
    add("128 KiB sequential write",
        {.block = kLarge, .reads = 0, .queue_depth = depth, .burst = cached},
        base(sheet.sequential_write));
    add("4 KiB random read", {.block = kSmall, .random = true, .queue_depth = depth},
        sheet.random_read);
    add("4 KiB random write",
        {.block = kSmall, .random = true, .reads = 0, .queue_depth = depth, .burst = cached},
        sheet.random_write);
    add("4 KiB random, 70 % reads",
        {.block = kSmall,
         .random = true,
         .reads = 0.7,
         .queue_depth = sheet.mixed_queue_depth * drives},
        sheet.mixed);
    add("4 KiB random read, alone", {.block = kSmall, .random = true, .queue_depth = 1}, {});
    add("4 KiB random write, alone",
        {.block = kSmall, .random = true, .reads = 0, .queue_depth = 1, .burst = cached}, {});
    return all;
}

std::vector<DriveAnswer> drive_sweep(const spec::SsdSpec& ssd, const MemoryQuestion& question,
                                     const std::vector<int>& depths)
{
    auto load = load_of(question.accesses);
    if (!load) {
        sim::refuse("--pattern", fmt::format("\"{}\" is no pattern of a drive", question.pattern),
                    "write read, write, random-4096 or mix-7-3");
    }
    std::vector<DriveAnswer> all;
    for (const auto depth : depths) {
        load->queue_depth = depth;
        all.push_back(answer(ssd, question.pattern, *load, question.stacks));
    }
    return all;
}

std::string drive_text(const spec::SsdSpec& ssd, int drives,
                       const std::vector<DriveAnswer>& answers)
{
    auto text = fmt::format("{} ({}), {} x\n", ssd.name, ssd.kind, drives);
    text += wrapped(spare_text(ssd)) + endurance_text(ssd) + cache_text(ssd);
    if (!ssd.estimated_from.empty()) {
        text += wrapped("estimated: " + ssd.estimated_from);
    }
    Table table;
    table.column("access", Table::Align::left);
    for (const auto* header :
         {"queue", "achieved", "requests", "latency", "bound", "sheet", "off"}) {
        table.column(header);
    }
    for (const auto& a : answers) {
        table.row({a.access, fmt::format("{}", a.load.queue_depth), to_text(a.rate.bandwidth),
                   thousands(a.rate.per_second), to_text(a.rate.latency), name(a.rate.bound),
                   !a.sheet        ? ""
                   : a.load.random ? thousands(*a.sheet)
                                   : to_text(Bandwidth::of(*a.sheet)),
                   a.error ? fmt::format("{:+.1f} %", 100 * *a.error) : ""});
    }
    return text + "\n" + table.text();
}

std::string wear_text(const spec::SsdSpec& ssd, int drives, Bytes a_day)
{
    constexpr double kDaysPerYear = 365;
    const auto years = [&](bool random) {
        const Time day = 86400_s;
        return memory::worn_after(ssd, a_day, day, random) / day / kDaysPerYear * drives;
    };
    return fmt::format("worn out      after {:.1f} years of {} a day at random, {:.1f} in order\n",
                       years(true), to_text(a_day), years(false));
}

std::string drive_rows(const std::vector<DriveAnswer>& answers)
{
    Table table;
    for (const auto* header : {"queue", "achieved", "requests", "latency", "bound"}) {
        table.column(header);
    }
    for (const auto& a : answers) {
        table.row({fmt::format("{}", a.load.queue_depth), to_text(a.rate.bandwidth),
                   thousands(a.rate.per_second), to_text(a.rate.latency), name(a.rate.bound)});
    }
    return table.text();
}

std::string hdd_text(const spec::HddSpec& hdd)
{
    auto text = fmt::format("{}, {}\n\nin order      {} (from {} outside to {} inside)\n", hdd.name,
                            to_text(hdd.capacity), to_text(memory::hdd_sequential(hdd)),
                            to_text(hdd.outer), to_text(hdd.inner));
    for (const int depth : {1, 16}) {
        text += fmt::format("random 4 KiB  {:.0f}/s with {} waiting\n",
                            memory::hdd_random(hdd, kSmall, depth), depth);
    }
    return text;
}

}  // namespace sim::cli
