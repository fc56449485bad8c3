#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/survey.hpp"
#include "spec/cluster.hpp"

namespace sim::fabric
{

struct TierUse {
    VertexKind kind;
    std::int64_t switches = 0;
    std::int64_t most_ports = 0;             ///< used by the switch that uses most
    std::optional<double> oversubscription;  ///< down over up capacity; absent at the top
};

struct CableUse {
    LinkKind kind;
    std::int64_t cables = 0;
};

struct BillItem {
    std::string name;
    std::int64_t count = 0;
    spec::Upkeep each;
};

/// What a cluster consists of and what its network can do. sim/fabric/description.md
struct Description {
    std::size_t nodes = 0;
    std::size_t gpus = 0;
    std::size_t nics = 0;
    std::vector<TierUse> tiers;    ///< of the network, then NVSwitches
    std::vector<CableUse> cables;  ///< by kind, also the links inside nodes
    Survey paths;
    Bandwidth injection{};  ///< of half of the nodes
    Bandwidth bisection{};  ///< payload, one way
    bool bisection_by_flow = false;
    std::vector<BillItem> bill;  ///< switches by model, NICs, cables
    spec::Upkeep total;          ///< of what has a price, and of what has a power
};

[[nodiscard]] Description describe(const spec::ClusterSpec& cluster, const Fabric& fabric);

/// The same without paths and bisection, which take longest.
[[nodiscard]] Description describe_counts(const spec::ClusterSpec& cluster, const Fabric& fabric);

/// Of the network: an end of every cable between switches, and one of every NIC's.
[[nodiscard]] std::int64_t switch_ports(const Description& description);

/// As the input and the results spell them.
[[nodiscard]] const char* name(VertexKind kind);
[[nodiscard]] const char* name(LinkKind kind);

}  // namespace sim::fabric
