#include "memory/ssd.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/contract.hpp"
#include "memory/closed_network.hpp"
#include "memory/write_amplification.hpp"

namespace sim::memory
{

namespace
{

/// What one request keeps busy, summed over the parts of a kind.
struct Demand {
    Time link{};  ///< one direction; reads leave, writes enter
    Time controller{};
    Time channels{};
    Time dies{};
};

int dies_of(const spec::SsdSpec& ssd) { return ssd.flash.channels * ssd.flash.dies; }

/// Pages one die reads side by side.
int reads_of_a_die(const spec::SsdSpec& ssd, bool random)
{
    return random ? ssd.flash.reads_at_once : ssd.flash.planes;
}

double count(Bytes bytes, Bytes unit) { return std::ceil(bytes / unit); }

Time per_command(const spec::SsdSpec& ssd)
{
    return ssd.controller.commands ? Time::of(1 / *ssd.controller.commands) : Time{};
}

Demand of_read(const spec::SsdSpec& ssd, const SsdLoad& load)
{
    const auto& flash = ssd.flash;
    Demand demand;
    demand.link = load.block / link_bandwidth(ssd);
    demand.controller = per_command(ssd);
    const auto units = std::max(1.0, count(load.block, flash.read_unit));
    const auto map = load.random ? ssd.controller.map_misses : 0;
    demand.channels = flash.read_unit / flash.bus * (units + map);
    const auto pages =
        load.random ? std::max(1.0, count(load.block, flash.page)) : load.block / flash.page;
    demand.dies = flash.tR * ((pages + map) / reads_of_a_die(ssd, load.random));
    return demand;
}

double amplification_of(const spec::SsdSpec& ssd, const SsdLoad& load)
{
    if (!load.random || load.burst) {
        return 1;
    }
    const auto room = static_cast<double>(raw_capacity(ssd).base()) * (1 - ssd.reserved_share) /
                      (static_cast<double>(ssd.capacity.base()) * load.filled);
    return write_amplification(room);
}

Demand of_write(const spec::SsdSpec& ssd, const SsdLoad& load)
{
    const auto& flash = ssd.flash;
    const auto turns = load.block / (flash.page * flash.planes);  // of all planes of a die
    const auto erase = flash.tERASE / static_cast<double>(flash.pages_per_block);
    const auto amplification = amplification_of(ssd, load);
    const bool collects = amplification > 1;
    Demand demand;
    demand.link = load.block / link_bandwidth(ssd);
    const auto ceiling =
        ssd.controller.flash_write ? load.block / *ssd.controller.flash_write : Time{};
    demand.controller = std::max(per_command(ssd), ceiling * amplification);
    // What is collected is read whole, and what is valid of it moves over the bus and back.
    demand.channels = load.block / flash.bus * (2 * amplification - 1);
    demand.dies = (flash.tPROG + erase) * (turns * amplification) +
                  flash.tR * (collects ? turns * amplification : 0);
    if (ssd.slc.size > Bytes{} && load.burst) {
        demand.dies = ssd.slc.tPROG * turns;
    } else if (ssd.slc.size > Bytes{} && ssd.slc.folds) {
        demand.dies += (ssd.slc.tPROG + flash.tR) * turns;
        demand.channels += load.block / flash.bus * 2;
    }
    return demand;
}

/// What a read still waits that finds its die programming or erasing, at a chance instant: half of
/// an operation, of longer ones more. A die cannot be read meanwhile.
Time left_of_operation(const spec::FlashSpec& flash)
{
    const auto program = flash.tPROG * flash.program_pages;
    const double erases = 1.0 * flash.program_pages / flash.pages_per_block;  // an operation
    const auto mean = program + flash.tERASE * erases;
    return (program * (program / mean) + flash.tERASE * (erases * (flash.tERASE / mean))) / 2.0;
}

struct Ceiling {
    Time work{};
    SsdBound bound = SsdBound::queue;
};

/// The part that one mixed request keeps busy the longest, each server's share of it.
Ceiling slowest_part(const spec::SsdSpec& ssd, double reads, const Demand& read,
                     const Demand& write)
{
    const auto mixed = [&](Time Demand::*part, int servers) {
        return (read.*part * reads + write.*part * (1 - reads)) / static_cast<double>(servers);
    };
    const std::array<Ceiling, 4> parts{
        {{std::max(read.link * reads, write.link * (1 - reads)), SsdBound::link},
         {mixed(&Demand::controller, 1), SsdBound::controller},
         {mixed(&Demand::channels, ssd.flash.channels), SsdBound::channels},
         {mixed(&Demand::dies, dies_of(ssd)), SsdBound::dies}}};
    return *std::max_element(parts.begin(), parts.end(),
                             [](const Ceiling& a, const Ceiling& b) { return a.work < b.work; });
}

/// Rate and latency of reads among `in_flight` requests, while writes take their share of every
/// part at `rate` requests a second.
NetworkAnswer reads_beside(const spec::SsdSpec& ssd, const SsdLoad& load,
                           const std::array<Demand, 2>& read_write, double rate)
{
    const auto& [read, write] = read_write;
    const auto writes = rate * (1 - load.reads);
    const auto slowed = [&](Time work, Time other, int servers) {
        const auto busy = std::min(0.999, writes * (other / Time::of(servers)));
        return Stations{servers, work * (load.reads / (1 - busy))};
    };
    // A long request in order is many pages that different dies read side by side.
    const auto pages = load.random ? 1 : std::max(1.0, count(load.block, ssd.flash.page));
    const auto customers = static_cast<int>(std::min(65536.0, load.queue_depth * pages));
    const auto programming = std::min(1.0, writes * (write.dies / Time::of(dies_of(ssd))));
    const auto behind_program = left_of_operation(ssd.flash) * programming;
    const auto delay = (ssd.controller.read_latency + behind_program) * load.reads +
                       (ssd.controller.write_latency + write.link) * (1 - load.reads);
    // A page is read for tR however many others its die reads beside it.
    const auto beside = reads_of_a_die(ssd, load.random);
    auto dies = slowed(read.dies * beside, write.dies, dies_of(ssd));
    dies.count *= beside;
    std::vector<Stations> stations{slowed(read.link, Time{}, 1),
                                   slowed(read.controller, write.controller, 1),
                                   slowed(read.channels, write.channels, ssd.flash.channels), dies};
    for (auto& part : stations) {
        part.work = part.work / pages;
    }
    const auto of_pages = closed_network(customers, delay, stations);
    return {of_pages.per_second / pages, of_pages.latency};
}

}  // namespace

const char* name(SsdBound bound)
{
    constexpr std::array kNames{"queue", "link", "controller", "channels", "dies"};
    return kNames[static_cast<std::size_t>(bound)];
}

SsdRate ssd_rate(const spec::SsdSpec& ssd, const SsdLoad& load)
{
    SIM_EXPECT(load.block > Bytes{} && load.queue_depth >= 1 && load.filled > 0);
    const std::array<Demand, 2> demand{of_read(ssd, load), of_write(ssd, load)};
    const auto ceiling = slowest_part(ssd, load.reads, demand[0], demand[1]);
    const auto most = 1 / (ceiling.work / Time::of(1));
    SsdRate rate;
    rate.amplification = amplification_of(ssd, load);
    rate.bound = ceiling.bound;
    if (load.reads <= 0) {
        const auto acknowledged = ssd.controller.write_latency + demand[1].link;
        rate.per_second = std::min(most, load.queue_depth / (acknowledged / Time::of(1)));
        rate.latency = Time::of(load.queue_depth / rate.per_second);
    } else {
        // The more writes pass, the slower the reads, and the fewer writes: halve to where both
        // fit.
        double low = 0;
        double high = most;
        for (int step = 0; step < (load.reads < 1 ? 40 : 1); ++step) {
            const auto middle = load.reads < 1 ? (low + high) / 2 : 0;
            const auto answer = reads_beside(ssd, load, demand, middle);
            rate.per_second = std::min(most, answer.per_second);
            rate.latency = Time::of(load.queue_depth / rate.per_second);
            (answer.per_second > middle ? low : high) = middle;
        }
    }
    if (rate.per_second < 0.9 * most) {
        rate.bound = SsdBound::queue;
    }
    rate.bandwidth = Bandwidth::of(rate.per_second * static_cast<double>(load.block.base()));
    return rate;
}

FlashRates flash_rates(const spec::SsdSpec& ssd)
{
    const auto behind_link = [&](double reads) {
        const SsdLoad load{.block = Bytes::of(128 * 1024), .reads = reads};
        auto read = of_read(ssd, load);
        auto write = of_write(ssd, load);
        read.link = {};
        write.link = {};
        return load.block / slowest_part(ssd, reads, read, write).work;
    };
    return {behind_link(1), behind_link(0), ssd.controller.read_latency + ssd.flash.tR,
            ssd.controller.write_latency};
}

SsdRate striped_rate(const spec::SsdSpec& ssd, SsdLoad load, int drives)
{
    SIM_EXPECT(drives >= 1);
    const auto depth = load.queue_depth;
    load.queue_depth = std::max(1, depth / drives);
    auto rate = ssd_rate(ssd, load);
    const auto used = std::min(drives, depth);
    rate.bandwidth = rate.bandwidth * used;
    rate.per_second *= used;
    return rate;
}

Time write_time(const spec::SsdSpec& ssd, Bytes amount)
{
    SsdLoad load{.block = Bytes::of(128 * 1024), .reads = 0, .queue_depth = 64};
    const auto past = ssd_rate(ssd, load).bandwidth;
    load.burst = ssd.slc.size > Bytes{};
    const auto cached = std::min(amount, ssd.slc.size);
    return cached / ssd_rate(ssd, load).bandwidth + (amount - cached) / past;
}

double endurance_bytes(const spec::SsdSpec& ssd, bool random)
{
    constexpr double kDaysPerYear = 365;
    const auto rated = ssd.endurance.drive_writes_per_day * kDaysPerYear * ssd.endurance.years *
                       static_cast<double>(ssd.capacity.base());
    return random ? rated : rated * amplification_of(ssd, {.random = true});
}

Time worn_after(const spec::SsdSpec& ssd, Bytes written, Time period, bool random)
{
    SIM_EXPECT(written > Bytes{} && period > Time{});
    return period * (endurance_bytes(ssd, random) / static_cast<double>(written.base()));
}

Bandwidth staged_rate(const StagedCopy& copy)
{
    if (copy.direct || copy.overlaps) {
        return std::min(copy.drives, copy.slot);
    }
    return Bandwidth::of(1 / (1 / copy.drives.base() + 1 / copy.slot.base()));
}

}  // namespace sim::memory
