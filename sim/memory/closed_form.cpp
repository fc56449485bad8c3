#include "memory/closed_form.hpp"

#include <algorithm>

#include "memory/address_map.hpp"
#include "memory/dram_clocks.hpp"

namespace sim::memory
{

namespace
{

/// Random requests are never spread over the banks evenly; from the comparison with Ramulator 2.1.
constexpr double kBankBalance = 0.9;

double as_double(Clock clocks) { return static_cast<double>(clocks); }

double refresh_share(const spec::DramSpec& dram, const DramClocks& c)
{
    if (dram.controller.refresh != spec::Refresh::all_bank) {
        return 0;
    }
    const auto lost = c.refresh_all + c.precharge_to_activate + c.activate_to_column[kRead] +
                      c.column_to_precharge[kRead];
    return std::min(1.0, as_double(lost) / as_double(c.refresh_interval));
}

/// Accesses a clock on one pseudo-channel when each opens a row.
double activates_per_clock(const spec::DramSpec& dram, const DramClocks& c)
{
    const auto windows = dram.independent_ranks ? dram.ranks : 1;
    const auto banks = as_double(Clock{dram.ranks} * dram.bank_groups * dram.banks_per_group);
    auto rate = std::min({4.0 * windows / as_double(c.four_activates),
                          windows / as_double(c.activate_to_activate_s),
                          kBankBalance * banks / as_double(c.activate_to_activate)});
    if (dram.row_command_clocks > 0) {
        rate = std::min(rate, 1.0 / (dram.row_command_clocks * dram.pseudo_channels));
    }
    return rate;
}

/// Share of the time left to data when the pins turn around for every drain of the write queue.
double turnaround_share(const spec::DramSpec& dram, const DramClocks& c, const PatternSpec& p)
{
    if (p.reads == 0 || p.writes == 0) {
        return 1;
    }
    const auto& k = dram.controller;
    const auto writes =
        std::max(1.0, (k.write_high - k.write_low) * k.write_queue) / dram.pseudo_channels;
    const auto data = writes * (1 + static_cast<double>(p.reads) / p.writes) * as_double(c.burst);
    const auto turns = as_double(c.read_to_write + c.write_to_read_s - 2 * c.burst);
    return data / (data + turns);
}

/// Of the pins, when a stride keeps the accesses in few places.
double strided_share(const spec::DramSpec& dram, const DramClocks& c, const PatternSpec& p)
{
    constexpr int kLooked = 64;
    const AddressMap map{dram, 1};
    std::vector<std::uint32_t> channels;
    std::vector<std::uint32_t> banks;
    std::vector<std::int64_t> rows;
    const auto stride = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(p.stride.base()));
    for (std::uint64_t i = 0; i < kLooked; ++i) {
        const auto place = map.locate(i * stride % map.capacity());
        channels.push_back(place.channel);
        banks.push_back(place.channel << 16U | place.bank);
        rows.push_back(static_cast<std::int64_t>(banks.back()) << 32U | place.row);
    }
    const auto distinct = [](auto values) {
        std::sort(values.begin(), values.end());
        return as_double(std::unique(values.begin(), values.end()) - values.begin());
    };
    // Each row opened costs its bank a row cycle; each bank moves one burst every tCCD_L.
    const auto per_row = kLooked / distinct(rows);
    const auto row_limit = distinct(banks) * per_row / as_double(c.activate_to_activate);
    const auto bank_limit = distinct(banks) / as_double(c.column_to_column_l[kRead]);
    const auto window_limit =
        distinct(channels) * dram.pseudo_channels * per_row * activates_per_clock(dram, c);
    const auto all = static_cast<double>(dram.channels) * dram.pseudo_channels;
    return std::min(
        {1.0, std::min({row_limit, bank_limit, window_limit}) * as_double(c.burst) / all});
}

}  // namespace

ClosedForm closed_form(const spec::DramSpec& dram, const PatternSpec& pattern)
{
    const auto c = dram_clocks(dram);
    double share = (1 - refresh_share(dram, c)) * turnaround_share(dram, c, pattern);
    if (dram.ecc.data_bursts_per_check > 0) {
        share *= dram.ecc.data_bursts_per_check / (dram.ecc.data_bursts_per_check + 1.0);
    }
    if (dram.thermal.celsius > dram.thermal.throttles_above) {
        share *= dram.thermal.throttled_share;
    }
    if (pattern.order == PatternSpec::Order::random) {
        const auto bursts = std::max(1.0, pattern.block / spec::burst_bytes(dram));
        share *= std::min(1.0, bursts * activates_per_clock(dram, c) * as_double(c.burst));
    } else if (pattern.order == PatternSpec::Order::strided) {
        share *= strided_share(dram, c, pattern);
    }
    return {share, dram.timing.tCK * as_double(c.activate_to_column[kRead] + c.read_latency)};
}

Bandwidth littles_law(Bytes in_flight, Time latency, Bandwidth most)
{
    return latency > Time{} ? std::min(most, in_flight / latency) : most;
}

}  // namespace sim::memory
