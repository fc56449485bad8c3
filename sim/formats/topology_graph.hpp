#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/quantity.hpp"
#include "spec/fabric.hpp"

namespace sim::formats
{

/// Collects a custom network; parallel cables that are alike become one entry.
class TopologyGraph
{
public:
    void add_node(const std::string& name, std::optional<int> gpus, std::optional<int> nics);
    void add_switch(const std::string& name);
    /// Ends are names of switches or nodes, or "node/nic0".
    void add_cable(spec::CustomSpec::Cable cable);

    /// A switch a node is cabled to is a leaf, the next a spine, all further ones cores.
    [[nodiscard]] spec::CustomSpec finish() const;

    /// Switches no node can reach.
    [[nodiscard]] std::vector<std::string> unreached() const;
    /// Most cables that end at one switch.
    [[nodiscard]] int most_ports() const;
    /// The largest sum of line rates at one switch; cables without a rate count nothing.
    [[nodiscard]] Bandwidth most_capacity() const;

private:
    using Cable =
        std::tuple<std::string, std::string, std::optional<Bandwidth>, std::optional<Time>>;

    [[nodiscard]] std::map<std::string, int> distances() const;

    std::vector<spec::CustomSpec::Node> nodes_;
    std::set<std::string> node_names_;
    std::vector<std::string> switches_;
    std::vector<spec::CustomSpec::Cable> cables_;
    std::map<Cable, std::size_t> known_;
};

/// A switch that loses nothing and takes no time, as simulators have it: ports and capacity are
/// those its cables need.
[[nodiscard]] spec::SwitchSpec ideal_switch(int ports, Bandwidth capacity);

}  // namespace sim::formats
