#include "spec/wire_protocol.hpp"

#include <gtest/gtest.h>

#include "core/literals.hpp"

namespace sim::spec
{
namespace
{

using namespace literals;

TEST(Protocol, EveryPacketCarriesItsHeadersBesidesThePayload)
{
    // InfiniBand: 8 + 12 + 4 + 2 = 26. RoCE v2: 8 + 14 + 4 + 12 + 20 + 8 + 12 + 4 = 82.
    EXPECT_DOUBLE_EQ(payload_share(WireProtocol::infiniband, 4096_B), 4096.0 / 4122);
    EXPECT_DOUBLE_EQ(payload_share(WireProtocol::roce_v2, 4096_B), 4096.0 / 4178);
}

TEST(Protocol, ExplainsTheMeasuredRateOfRoceWithSmallPackets)
{
    // ib_write_bw over 100 Gb/s RoCE at a 1024 B MTU: 92.4 Gb/s (NVIDIA/deepops,
    // docs/k8s-cluster/roce-perf-k8s.md).
    EXPECT_NEAR(100 * payload_share(WireProtocol::roce_v2, 1024_B), 92.4, 0.3);
}

}  // namespace
}  // namespace sim::spec
