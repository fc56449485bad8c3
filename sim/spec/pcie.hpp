#pragma once

#include "core/quantity.hpp"

namespace sim::spec
{

/// One slot between a GPU, NIC or drive and its PCIe switch or socket.
struct PcieSpec {
    int generation = 0;     ///< 3 to 7
    int lanes = 0;          ///< 1 to 16
    double efficiency = 0;  ///< payload share after packet headers and flow control, in (0, 1]
    Time latency{};         ///< one crossing
    friend bool operator==(const PcieSpec&, const PcieSpec&) = default;
};

/// Raw bytes per second and direction of a slot: transfers/s * lanes * line code / 8.
/// PCI Express Base Specification: 8, 16, 32 GT/s with 128b/130b (Gen3 to 5); 64, 128 GT/s with
/// 242 of 256 bytes payload per FLIT (Gen6, 7).
[[nodiscard]] Bandwidth raw_bandwidth(const PcieSpec& pcie);

}  // namespace sim::spec
