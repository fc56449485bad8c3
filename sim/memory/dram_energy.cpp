#include "memory/dram_energy.hpp"

#include "core/literals.hpp"

namespace sim::memory
{

double pj_per_bit(const spec::DramSpec& dram, const ChannelCounters& done, Time standing)
{
    using namespace literals;
    const auto& e = dram.energy;
    const auto bits = 8 * (spec::burst_bytes(dram) / 1_B);
    const auto read_bits = bits * static_cast<double>(done.columns[kRead]);
    const auto write_bits = bits * static_cast<double>(done.columns[kWrite]);
    if (!(read_bits + write_bits > 0)) {
        return 0;
    }
    const auto refresh_share = dram.controller.refresh == spec::Refresh::per_bank
                                   ? 1.0 / (dram.ranks * dram.bank_groups * dram.banks_per_group)
                                   : 1.0;
    const auto pj = 1e3 * (e.activate_nj * static_cast<double>(done.activates) +
                           e.refresh_nj * refresh_share * static_cast<double>(done.refreshes)) +
                    e.read_pj_per_bit * read_bits + e.write_pj_per_bit * write_bits +
                    1e12 * (e.background / 1_W) * (standing / 1_s);
    return pj / (read_bits + write_bits) + e.io_pj_per_bit;
}

}  // namespace sim::memory
