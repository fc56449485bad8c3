#include "spec/memory.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "spec/checker.hpp"
#include "spec/dram_mapping.hpp"

namespace sim::spec
{

namespace
{

constexpr int kMostBanks = 64;            ///< of one pseudo-channel, all ranks together
constexpr double kSheetTolerance = 0.01;  ///< sheets round: "1.2 TB/s", 4.8 Gb/s as 416 ps

struct NamedTiming {
    std::string_view name;
    Time DramTiming::*member;
};
constexpr std::array<NamedTiming, 20> kRequired{{{"tCK", &DramTiming::tCK},
                                                 {"tCL", &DramTiming::tCL},
                                                 {"tCWL", &DramTiming::tCWL},
                                                 {"tRCD_read", &DramTiming::tRCD_read},
                                                 {"tRCD_write", &DramTiming::tRCD_write},
                                                 {"tRP", &DramTiming::tRP},
                                                 {"tRAS", &DramTiming::tRAS},
                                                 {"tRC", &DramTiming::tRC},
                                                 {"tCCD_S", &DramTiming::tCCD_S},
                                                 {"tCCD_L", &DramTiming::tCCD_L},
                                                 {"tRRD_S", &DramTiming::tRRD_S},
                                                 {"tRRD_L", &DramTiming::tRRD_L},
                                                 {"tFAW", &DramTiming::tFAW},
                                                 {"tWR", &DramTiming::tWR},
                                                 {"tWTR_S", &DramTiming::tWTR_S},
                                                 {"tWTR_L", &DramTiming::tWTR_L},
                                                 {"tRTP", &DramTiming::tRTP},
                                                 {"tRFC_all", &DramTiming::tRFC_all},
                                                 {"tRFC_bank", &DramTiming::tRFC_bank},
                                                 {"tREFI", &DramTiming::tREFI}}};

constexpr double kRounding = 1e-6;  ///< of a clock: sums of decimal nanoseconds

bool differs(double a, double b) { return std::abs(a - b) > kSheetTolerance * std::abs(b); }

void power_of_two(Checker& check, std::string_view name, std::int64_t count)
{
    check.at_least(name, count, 1);
    if (count >= 1 && !std::has_single_bit(static_cast<std::uint64_t>(count))) {
        check.error(name, fmt::format("is {}, but an address selects it by whole bits", count),
                    "write a power of two");
    }
}

void check_shape(Checker& check, const DramSpec& dram)
{
    check.at_least("channels", dram.channels, 1);
    power_of_two(check, "pseudo_channels", dram.pseudo_channels);
    power_of_two(check, "ranks", dram.ranks);
    power_of_two(check, "bank_groups", dram.bank_groups);
    power_of_two(check, "banks_per_group", dram.banks_per_group);
    check.at_least("rows", dram.rows, 1);
    check.positive("row", dram.row, "1 KiB");
    check.at_least("width_bits", dram.width_bits, 1);
    check.at_least("row_command_clocks", dram.row_command_clocks, 0);
    check.at_least("burst_length", dram.burst_length, 1);
    check.positive("pin_rate", dram.pin_rate, "6.4 Gbps");
    check.positive("bandwidth", dram.bandwidth, "819.2 GB/s");
    check.positive("capacity", dram.capacity, "16 GiB");
    const auto banks = std::int64_t{dram.ranks} * dram.bank_groups * dram.banks_per_group;
    if (banks > kMostBanks) {
        check.error("banks_per_group",
                    fmt::format("makes {} banks in a pseudo-channel, at most {} are modelled",
                                banks, kMostBanks),
                    {});
    }
}

/// What the sheet says of the whole against what its parts give.
void check_whole(Checker& check, const DramSpec& dram)
{
    const auto pins = pin_bandwidth(dram);
    if (differs(dram.bandwidth / pins, 1)) {
        check.error("bandwidth",
                    fmt::format("is {}, but {} channels of {} x {} pins at {} give {}",
                                to_text(dram.bandwidth), dram.channels, dram.pseudo_channels,
                                dram.width_bits, to_bit_text(dram.pin_rate), to_text(pins)),
                    "one of them is wrong");
    }
    const auto cells = bank_capacity(dram);
    if (cells != dram.capacity) {
        check.error("capacity",
                    fmt::format("is {}, but the address bits of channels, ranks, banks, rows and "
                                "columns reach {}",
                                to_text(dram.capacity), to_text(cells)),
                    "one of them is wrong");
    }
    const auto burst = burst_bytes(dram);
    const auto bursts = static_cast<std::int64_t>(dram.row / burst);
    if (bursts < 1 || burst * bursts != dram.row) {
        check.error(
            "row",
            fmt::format("is {}, no multiple of the burst of {}", to_text(dram.row), to_text(burst)),
            {});
    } else {
        power_of_two(check, "row", bursts);
    }
}

void check_timing(Checker& check, const DramSpec& dram)
{
    const auto& t = dram.timing;
    for (const auto& [name, member] : kRequired) {
        check.positive(fmt::format("timing.{}", name), t.*member, "14 ns");
    }
    if (t.tRC + t.tCK * kRounding < t.tRAS + t.tRP) {
        check.error("timing.tRC",
                    fmt::format("is {}, less than tRAS + tRP = {}", to_text(t.tRC),
                                to_text(t.tRAS + t.tRP)),
                    "a row must close before its bank opens the next one");
    }
    if (t.tFAW < 4 * t.tRRD_S) {
        check.warning("timing.tFAW",
                      fmt::format("is {}, less than 4 tRRD_S = {}, and never binds",
                                  to_text(t.tFAW), to_text(4 * t.tRRD_S)),
                      "check both in the data sheet");
    }
    if (t.tCCD_L < t.tCCD_S || t.tRRD_L < t.tRRD_S || t.tWTR_L < t.tWTR_S) {
        check.error("timing.tCCD_L", "one of tCCD_L, tRRD_L, tWTR_L is below its _S",
                    "within a bank group commands are no closer than between groups");
    }
    const Time burst = burst_bytes(dram) / pin_bandwidth(dram) * dram.channels *
                       static_cast<double>(dram.pseudo_channels);
    const auto clocks = burst / t.tCK;
    if (std::isfinite(clocks) && (clocks < 0.99 || differs(std::round(clocks), clocks))) {
        check.error("timing.tCK",
                    fmt::format("is {}, but a burst takes {} ({:.3g} clocks)", to_text(t.tCK),
                                to_text(burst), clocks),
                    "a burst takes whole clocks");
    }
    if (t.tREFI <= t.tRFC_all) {
        check.error("timing.tREFI",
                    fmt::format("is {}, no longer than one refresh of {}", to_text(t.tREFI),
                                to_text(t.tRFC_all)),
                    {});
    }
}

void check_controller(Checker& check, const DramSpec& dram)
{
    const auto& c = dram.controller;
    check.within("controller.read_queue", c.read_queue, 1, 4096);
    check.within("controller.write_queue", c.write_queue, 1, 4096);
    check.share("controller.write_high", c.write_high);
    if (!(c.write_low >= 0 && c.write_low < c.write_high)) {
        check.error("controller.write_low",
                    fmt::format("is {:g}, but must be from 0 to below write_high", c.write_low),
                    {});
    }
    check.positive("controller.starvation", c.starvation, "2 us");
    const auto order = address_order(dram);
    if (!order.complaint.empty()) {
        check.error("mapping.order", order.complaint, "row-rank-bank-column-pseudo-group");
    }
    const auto bursts = dram.mapping.channel_interleave / burst_bytes(dram);
    if (!(bursts >= 1) || bursts != std::floor(bursts)) {
        check.error(
            "mapping.channel_interleave",
            fmt::format("is {}, no multiple of the burst of {}",
                        to_text(dram.mapping.channel_interleave), to_text(burst_bytes(dram))),
            {});
    }
}

void check_physics(Checker& check, const DramSpec& dram)
{
    check.at_least("ecc.data_bursts_per_check", dram.ecc.data_bursts_per_check, 0);
    if (!(dram.ecc.capacity_share >= 0 && dram.ecc.capacity_share < 1)) {
        check.error("ecc.capacity_share", "must be from 0 to below 1", {});
    }
    check.share("thermal.throttled_share", dram.thermal.throttled_share);
    check.not_negative("energy.activate_nj", dram.energy.activate_nj);
    check.not_negative("energy.read_pj_per_bit", dram.energy.read_pj_per_bit);
    check.not_negative("energy.write_pj_per_bit", dram.energy.write_pj_per_bit);
    check.not_negative("energy.refresh_nj", dram.energy.refresh_nj);
    check.not_negative("energy.background", dram.energy.background);
    check.not_negative("energy.io_pj_per_bit", dram.energy.io_pj_per_bit);
    auto timing = dram.timing;
    for (const auto& range : dram.ranges) {
        const auto* value = find_timing(timing, range.name);
        const auto key = fmt::format("ranges.{}", range.name);
        if (value == nullptr) {
            check.error(key, "is no timing", "tFAW: [15 ns, 30 ns]");
        } else if (!(range.least <= *value * (1 + kRounding) &&
                     *value <= range.most * (1 + kRounding) && range.least > Time{})) {
            check.error(key,
                        fmt::format("[{}, {}] does not hold the value {}", to_text(range.least),
                                    to_text(range.most), to_text(*value)),
                        {});
        }
    }
}

}  // namespace

Bytes burst_bytes(const DramSpec& dram)
{
    return Bytes::of(std::int64_t{dram.width_bits} * dram.burst_length / 8);
}

Bandwidth pin_bandwidth(const DramSpec& dram)
{
    return dram.pin_rate * static_cast<double>(std::int64_t{dram.channels} * dram.pseudo_channels *
                                               dram.width_bits);
}

Bytes bank_capacity(const DramSpec& dram)
{
    return dram.row * dram.channels * dram.pseudo_channels * dram.ranks * dram.bank_groups *
           dram.banks_per_group * dram.rows;
}

Time* find_timing(DramTiming& timing, const std::string& name)
{
    for (const auto& [known, member] : kRequired) {
        if (known == name) {
            return &(timing.*member);
        }
    }
    return nullptr;
}

DramSpec at_pin_rate(DramSpec dram, Bandwidth rate)
{
    const auto slower = dram.pin_rate / rate;
    auto& t = dram.timing;
    t.tCK = t.tCK * slower;
    t.tCCD_S = t.tCCD_S * slower;
    t.tCCD_L = t.tCCD_L * slower;
    if (t.tCCD_L_write) {
        t.tCCD_L_write = *t.tCCD_L_write * slower;
    }
    if (t.tCCD_R) {
        t.tCCD_R = *t.tCCD_R * slower;
    }
    dram.pin_rate = rate;
    dram.bandwidth = pin_bandwidth(dram);
    return dram;
}

Diagnostics validate(const GpuMemorySpec& gpu, const std::string& key)
{
    auto diagnostics = validate(gpu.dram, key.empty() ? "dram" : key + ".dram");
    Checker check{diagnostics, key};
    check.at_least("stacks", gpu.stacks, 1);
    check.at_least("sms", gpu.sms, 1);
    check.at_least("threads_per_sm", gpu.threads_per_sm, 1);
    check.positive("latency", gpu.latency, "320 ns");
    check.not_negative("block_turnover", gpu.block_turnover);
    check.share("read_factor", gpu.read_factor);
    return diagnostics;
}

Diagnostics validate(const DramSpec& dram, const std::string& key)
{
    Diagnostics diagnostics;
    Checker check{diagnostics, key};
    check_shape(check, dram);
    if (has_errors(diagnostics)) {
        return diagnostics;  // nothing can be divided by what is zero
    }
    check_whole(check, dram);
    check_timing(check, dram);
    check_controller(check, dram);
    check_physics(check, dram);
    return diagnostics;
}

}  // namespace sim::spec
