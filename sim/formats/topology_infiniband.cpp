#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "formats/infiniband_fabric.hpp"
#include "formats/topology_graph.hpp"
#include "formats/topology_readers.hpp"

namespace sim::formats
{

namespace
{

struct Host {
    std::vector<const IbDevice*> adapters;
};

/// What a device's description says it is.
bool is_aggregation(const IbDevice& device)
{
    return device.description.find("Aggregation Node") != std::string::npos;
}

bool starts_with(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

/// "a08-c01 mlx5_5" and "node018 HCA-1" name a host; a vendor's text and the names every freshly
/// installed machine has do not. Devices of plain net files are named by their id.
std::string host_of(const IbDevice& device)
{
    if (device.description.empty()) {
        return device.id;
    }
    const auto words = words_of(device.description, 1);
    if (words.size() < 2) {
        return {};
    }
    const auto adapter = words.back().text;
    const auto name = words.front().text;
    const bool names_adapter = starts_with(adapter, "mlx") || starts_with(adapter, "HCA") ||
                               starts_with(adapter, "hfi") || starts_with(adapter, "ib");
    const bool fresh = name == "localhost" || name == "ubuntu";
    return words.size() == 2 && names_adapter && !fresh ? std::string{name} : std::string{};
}

/// "MF0;LEAF-1:MQM9700/U1" is LEAF-1.
std::string short_name(const std::string& description)
{
    const auto start = description.find(';');
    const auto end = description.find(':', start == description.npos ? 0 : start);
    if (start == description.npos || end == description.npos) {
        return as_name(description);
    }
    return as_name(description.substr(start + 1, end - start - 1));
}

std::string switch_name(const IbDevice& device, const std::map<std::string, int>& uses)
{
    const auto name = short_name(device.description);
    if (name.empty()) {
        return as_name(device.id);
    }
    return uses.at(name) > 1 ? name + "-" + device.id : name;
}

/// "7 adapters (H-1, H-2, H-3, ...)".
std::string listed(const std::vector<const IbDevice*>& devices, const std::string& noun)
{
    constexpr std::size_t kNamed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(devices.size(), kNamed); ++i) {
        names += (i == 0 ? "" : ", ") + devices[i]->id;
    }
    return fmt::format("{} {}{} ({}{})", devices.size(), noun, devices.size() == 1 ? "" : "s",
                       names, devices.size() > kNamed ? ", ..." : "");
}

class Assembly
{
public:
    Assembly(TopologySource& source, const IbFabric& fabric) : source_{source}, fabric_{fabric}
    {
        sort_devices();
        add_hosts();
        for (const auto& [id, device] : fabric.devices) {
            for (const auto& [port, link] : device.links) {
                add_link(device, port, link);
            }
        }
    }

    Topology finish()
    {
        Topology topology;
        topology.format = "ibnetdiscover output";
        topology.nodes = static_cast<int>(hosts_.size());
        topology.inside.nics = most_adapters();
        topology.inside.nic = fastest_;
        if (topology.nodes == 0 && !source_.failed()) {
            source_.error({}, "lists no host",
                          "an adapter's description must name one, as in "
                          "\"node01 mlx5_0\"");
        }
        if (!source_.failed()) {
            for (const auto& name : graph_.unreached()) {
                source_.warn({}, fmt::format("no host reaches switch {}", name));
            }
        }
        topology.network = graph_.finish();
        return topology;
    }

private:
    void sort_devices()
    {
        std::vector<const IbDevice*> aggregation;
        std::vector<const IbDevice*> unnamed;
        for (const auto& id : fabric_.order) {
            const auto& device = fabric_.devices.at(id);
            if (device.is_switch) {
                ++uses_[short_name(device.description)];
                continue;
            }
            const auto host = host_of(device);
            if (is_aggregation(device)) {
                aggregation.push_back(&device);
            } else if (host.empty()) {
                unnamed.push_back(&device);
            } else {
                hosts_[as_name(host)].adapters.push_back(&device);
            }
        }
        if (!aggregation.empty()) {
            source_.warn(aggregation.front()->place,
                         listed(aggregation, "aggregation node") +
                             " of the switches left out: they are not hosts");
        }
        if (!unnamed.empty()) {
            source_.warn(unnamed.front()->place,
                         listed(unnamed, "adapter") +
                             " left out: the description does not say which host it is in",
                         "set the node description on these machines and discover again");
        }
    }

    void add_hosts()
    {
        for (const auto& id : fabric_.order) {
            if (fabric_.devices.at(id).is_switch) {
                names_[id] = switch_name(fabric_.devices.at(id), uses_);
                graph_.add_switch(names_[id]);
            }
        }
        const int most = most_adapters();
        std::string fewer;
        int count = 0;
        for (auto& [name, host] : hosts_) {
            std::sort(host.adapters.begin(), host.adapters.end(), [](const auto* a, const auto* b) {
                return std::pair{words_of(a->description, 1).size(), a->description + a->id} <
                       std::pair{words_of(b->description, 1).size(), b->description + b->id};
            });
            int nic = 0;
            for (const auto* adapter : host.adapters) {
                for (const auto& [port, link] : adapter->links) {
                    nics_[{adapter->id, port}] = fmt::format("{}/nic{}", name, nic++);
                }
            }
            graph_.add_node(name, std::nullopt, nic);
            if (nic < most) {
                ++count;
                fewer += count <= 3 ? fmt::format("{}{}", count == 1 ? "" : ", ", name) : "";
            }
        }
        if (count > 0) {
            source_.warn({}, fmt::format("{} of {} hosts ({}{}) have fewer than {} ports", count,
                                         hosts_.size(), fewer, count > 3 ? ", ..." : "", most));
        }
    }

    [[nodiscard]] int most_adapters() const
    {
        std::size_t most = 0;
        for (const auto& [name, host] : hosts_) {
            std::size_t ports = 0;
            for (const auto* adapter : host.adapters) {
                ports += adapter->links.size();
            }
            most = std::max(most, ports);
        }
        return static_cast<int>(most);
    }

    /// Each cable is listed at both ends; the end that comes first in order of ids is taken.
    void add_link(const IbDevice& device, int port, const IbLink& link)
    {
        const auto from = end_name(device.id, port);
        const auto to = end_name(link.peer, link.peer_port);
        if (from.empty() || to.empty()) {
            return;  // an end that was left out above, and counted there
        }
        if (std::pair{device.id, port} > std::pair{link.peer, link.peer_port}) {
            return;
        }
        const bool at_host = from.find('/') != from.npos || to.find('/') != to.npos;
        if (at_host && link.rate) {
            fastest_ = std::max(fastest_.value_or(Bandwidth{}), *link.rate);
        }
        graph_.add_cable({from, to, link.rate, std::nullopt, 1});
    }

    [[nodiscard]] std::string end_name(const std::string& id, int port) const
    {
        const auto found = names_.find(id);
        if (found != names_.end()) {
            return found->second;
        }
        const auto nic = nics_.find({id, port});
        return nic == nics_.end() ? std::string{} : nic->second;
    }

    TopologySource& source_;
    const IbFabric& fabric_;
    TopologyGraph graph_;
    std::map<std::string, Host> hosts_;
    std::map<std::string, int> uses_;
    std::map<std::string, std::string> names_;                 ///< of switches, by id
    std::map<std::pair<std::string, int>, std::string> nics_;  ///< by adapter and port
    std::optional<Bandwidth> fastest_;
};

}  // namespace

Topology read_ibnetdiscover(TopologySource& source)
{
    const auto fabric = parse_infiniband(source);
    if (source.failed()) {
        return {};
    }
    auto topology = Assembly{source, fabric}.finish();
    topology.needs_link_bandwidth = fabric.links_without_rate > 0;
    return topology;
}

}  // namespace sim::formats
