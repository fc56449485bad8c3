#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/simgrid_xml.hpp"

namespace sim::formats
{

struct SimgridLink {
    Bandwidth bandwidth{};
    Time latency{};
    bool fatpipe = false;
    Place place{};
};

struct SimgridRoute {
    std::string from{};
    std::string to{};
    std::vector<std::string> links{};
    bool both_ways = true;
    Place place{};
};

/// Hosts, routers, links and routes of nested zones, and the clusters among them.
struct SimgridPlatform {
    std::map<std::string, Place> points{};  ///< hosts and routers
    std::vector<std::string> hosts{};
    std::vector<std::string> routers{};
    std::vector<SimgridCluster> clusters{};
    std::map<std::string, SimgridLink> links{};
    std::vector<SimgridRoute> routes{};  ///< but those of a host to itself

    /// Complains when the name is taken.
    bool add_point(SimgridFile file, const std::string& name, Place place);
};

/// Complains about everything in the file that is not read.
[[nodiscard]] SimgridPlatform parse_simgrid(SimgridFile file);

}  // namespace sim::formats
