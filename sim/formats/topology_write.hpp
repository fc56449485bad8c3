#pragma once

#include <optional>
#include <string>

#include "formats/topology.hpp"

namespace sim::formats
{

/// What no topology file says, and what some leave out: names of hardware files (empty: not given)
/// and numbers.
struct TopologyParts {
    std::string hardware{};  ///< the folder of gpu/, nic/, ..., seen from the file to be written
    std::string gpu{};
    std::string nvlink{};
    std::string pcie{};
    std::string nic{};
    std::string device{};  ///< switch
    std::string collective{};
    std::string node_kind{};  ///< hgx, nvl72, dgx1, xgmi or pcie
    std::optional<int> gpus_per_node{};
    std::optional<int> nics_per_node{};
    std::optional<Bandwidth> nic_bandwidth{};
    std::optional<Bandwidth> link_bandwidth{};  ///< of cables between switches
    std::optional<Time> cable_latency{};
    std::optional<spec::HostLinkSpec> socket_link{};
};

/// The kinds of node that need no more than a number of GPUs.
[[nodiscard]] const std::vector<std::string>& plain_node_kinds();

struct WrittenTopology {
    std::string yaml{};
    Diagnostics warnings{};  ///< the file's, and what was not written
};

/// The cluster description that `cluster.extends` takes. Throws InputError naming every option that
/// is missing, or that contradicts what the file at `path` says.
[[nodiscard]] WrittenTopology write_topology(const Topology& topology, const TopologyParts& parts,
                                             const std::string& path);

}  // namespace sim::formats
