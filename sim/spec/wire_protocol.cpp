#include "spec/wire_protocol.hpp"

#include "core/contract.hpp"

namespace sim::spec
{
namespace
{

// InfiniBand Architecture Specification, volume 1: local route header, base transport header,
// invariant and variant CRC. The 16 bytes of an RDMA header come once a message.
constexpr int kLocalRoute = 8;
constexpr int kBaseTransport = 12;
constexpr int kInvariantCrc = 4;
constexpr int kVariantCrc = 2;

// IEEE 802.3: preamble with start delimiter, header, frame check, gap; then IPv4 and UDP (annex A17
// of the InfiniBand specification, RoCEv2).
constexpr int kEthernet = 8 + 14 + 4 + 12;
constexpr int kIpAndUdp = 20 + 8;

int overhead(WireProtocol protocol)
{
    return protocol == WireProtocol::infiniband
               ? kLocalRoute + kBaseTransport + kInvariantCrc + kVariantCrc
               : kEthernet + kIpAndUdp + kBaseTransport + kInvariantCrc;
}

}  // namespace

double payload_share(WireProtocol protocol, Bytes mtu)
{
    SIM_EXPECT(mtu > Bytes{});
    return mtu / (mtu + Bytes::of(overhead(protocol)));
}

}  // namespace sim::spec
