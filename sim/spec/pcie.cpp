#include "spec/pcie.hpp"

#include "core/contract.hpp"

namespace sim::spec
{

Bandwidth raw_bandwidth(const PcieSpec& pcie)
{
    constexpr int kLastWithLineCode = 5;
    SIM_EXPECT(pcie.generation >= 3 && pcie.generation <= 7);
    const double transfers = 1e9 * (1 << pcie.generation);  // 8 GT/s is generation 3
    const double payload = pcie.generation <= kLastWithLineCode ? 128.0 / 130.0 : 242.0 / 256.0;
    return Bandwidth::of(transfers * pcie.lanes * payload / 8);
}

}  // namespace sim::spec
