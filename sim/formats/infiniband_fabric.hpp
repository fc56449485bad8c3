#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "formats/topology_source.hpp"

namespace sim::formats
{

/// One end of a cable, as the device it is plugged into lists it.
struct IbLink {
    std::string peer{};
    int peer_port = 0;
    std::optional<Bandwidth> rate{};
    Place place{};
};

/// A switch or a channel adapter.
struct IbDevice {
    bool is_switch = false;
    std::string id{};  ///< "S-2c5eab0300b87b40", without leading zeros in the number
    std::string description{};
    int ports = 0;
    std::map<int, IbLink> links{};
    Place place{};
};

struct IbFabric {
    std::map<std::string, IbDevice> devices{};  ///< by id
    std::vector<std::string> order{};           ///< ids as the file has them
    int links_without_rate = 0;                 ///< of older programs' output
};

/// Reads ibnetdiscover output and ibsim net files, whose blocks differ only in what is left out.
/// Every end is checked against the other end of its cable.
[[nodiscard]] IbFabric parse_infiniband(TopologySource& source);

}  // namespace sim::formats
