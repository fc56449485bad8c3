#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/fabric.hpp"
#include "spec/node.hpp"

namespace sim::formats
{

/// What a file says of every node; absent or empty where it says nothing.
struct NodeInside {
    std::optional<int> gpus{};
    std::optional<int> nics{};
    std::vector<int> nic_of_gpu{};
    std::optional<spec::ScaleUp> scale_up{};
    std::optional<Bandwidth> nvlink{};  ///< per GPU and direction, over all its links
    std::optional<Bandwidth> nic{};     ///< line rate
    std::optional<int> pcie_generation{};
    std::optional<int> pcie_lanes{};
    std::vector<int> socket_of_gpu{};  ///< both empty: the file knows no sockets
    std::vector<int> socket_of_nic{};
};

/// A machine as another tool describes it. sim/formats/topology.md
struct Topology {
    std::string name{};    ///< the file's, without folder and ending
    std::string format{};  ///< "ibnetdiscover output"
    std::string gpu{};     ///< the word the file has for its GPUs; only for hints
    int nodes = 0;
    NodeInside inside{};
    spec::Network network{};
    std::optional<spec::SwitchSpec> device{};  ///< of all switches, where the format has ideal ones
    std::optional<Time> cable_latency{};
    bool needs_link_bandwidth = false;  ///< of custom links between switches
    Diagnostics warnings{};
};

/// What the reader of a file cannot know about it.
struct TopologyReading {
    std::string kind{};                     ///< of `topology_kinds`; empty: by content
    std::optional<int> inner_dimensions{};  ///< of ASTRA-sim that are inside a node, 0 or 1
};

/// A format, by the word `--kind` uses.
struct TopologyKind {
    std::string word{};
    std::string what{};
};
[[nodiscard]] const std::vector<TopologyKind>& topology_kinds();

/// Throws InputError with everything that is wrong with the file, Error when it cannot be read.
[[nodiscard]] Topology read_topology(const std::string& path, const TopologyReading& reading);
/// The same of text that is already in memory; `path` is for messages.
[[nodiscard]] Topology parse_topology(const std::string& path, std::string text,
                                      const TopologyReading& reading);

}  // namespace sim::formats
