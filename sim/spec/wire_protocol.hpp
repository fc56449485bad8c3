#pragma once

#include "core/quantity.hpp"

namespace sim::spec
{

/// What frames the payload of a network port.
enum class WireProtocol { infiniband, roce_v2 };

/// Payload over line rate when every packet is full: mtu / (mtu + what each packet carries
/// besides). An upper bound; sim/fabric/protocols.md lists the parts and what was measured.
[[nodiscard]] double payload_share(WireProtocol protocol, Bytes mtu);

}  // namespace sim::spec
