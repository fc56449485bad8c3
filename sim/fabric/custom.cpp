#include "fabric/custom.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "core/quantity_text.hpp"
#include "fabric/network_parts.hpp"

namespace sim::fabric
{
namespace
{

VertexKind vertex_kind(spec::Tier tier)
{
    return tier == spec::Tier::leaf    ? VertexKind::leaf
           : tier == spec::Tier::spine ? VertexKind::spine
                                       : VertexKind::core;
}

LinkKind link_kind(VertexKind a, VertexKind b)
{
    if (a == b) {
        return LinkKind::peer;
    }
    return a == VertexKind::core || b == VertexKind::core ? LinkKind::spine_core
                                                          : LinkKind::leaf_spine;
}

class CustomBuilder
{
public:
    CustomBuilder(Fabric& fabric, const spec::ClusterSpec& cluster)
        : fabric_{fabric},
          cluster_{cluster},
          spec_{std::get<spec::CustomSpec>(cluster.fabric.network)}
    {
    }

    void add_switches();
    void add_links();
    void check_load();
    void throw_if_wrong()
    {
        if (!diagnostics_.empty()) {
            throw InputError{std::move(diagnostics_)};
        }
    }

private:
    struct Load {
        const spec::SwitchSpec* model;
        int ports = 0;
        Bandwidth rate{};
    };
    /// One end of a listed link: a switch, or the NICs it stands for.
    struct End {
        std::optional<VertexId> device;
        std::vector<VertexId> nics;
    };

    [[nodiscard]] std::optional<End> find(const std::string& key, const std::string& name);
    void add_nic_cables(const spec::CustomSpec::Cable& link, VertexId device,
                        const std::vector<VertexId>& nics);
    void add_switch_cables(const spec::CustomSpec::Cable& link, VertexId from, VertexId to);
    void load(VertexId device, int cables, Bandwidth rate);
    [[nodiscard]] Bandwidth rate(const spec::CustomSpec::Cable& link) const
    {
        return link.bandwidth.value_or(cluster_.node.nic.bandwidth);
    }

    Fabric& fabric_;
    const spec::ClusterSpec& cluster_;
    const spec::CustomSpec& spec_;
    Diagnostics diagnostics_;
    std::map<std::string, End> ends_;
    std::map<VertexId, Load> loads_;
};

void CustomBuilder::add_switches()
{
    for (const auto nic : fabric_.nics) {
        const auto& name = fabric_.graph.vertices()[nic.index()].name;
        ends_[name].nics.push_back(nic);
        ends_[name.substr(0, name.find('/'))].nics.push_back(nic);
    }
    for (const auto& device : spec_.switches) {
        const auto& model = device.model ? *device.model : spec_.device;
        const auto vertex = add_switch(fabric_, vertex_kind(device.tier), device.name, model);
        ends_[device.name].device = vertex;
        loads_[vertex] = {&model};
    }
}

std::optional<CustomBuilder::End> CustomBuilder::find(const std::string& key,
                                                      const std::string& name)
{
    if (const auto known = ends_.find(name); known != ends_.end()) {
        return known->second;
    }
    std::vector<std::string> names;
    for (const auto& [word, end] : ends_) {
        names.push_back(word);
    }
    const auto near = closest(name, names);
    complain(diagnostics_, key, fmt::format("there is no node, NIC or switch \"{}\"", name),
             near.empty() ? "write a name of nodes or switches, or node/nic0"
                          : fmt::format("did you mean \"{}\"?", near));
    return std::nullopt;
}

void CustomBuilder::load(VertexId device, int cables, Bandwidth rate)
{
    auto& load = loads_.at(device);
    load.ports += cables;
    load.rate += rate * cables;
}

void CustomBuilder::add_nic_cables(const spec::CustomSpec::Cable& link, VertexId device,
                                   const std::vector<VertexId>& nics)
{
    const auto& nic = cluster_.node.nic;
    const auto cable = link.latency.value_or(cable_time(cluster_.fabric, LinkKind::nic));
    for (const auto from : nics) {
        fabric_.graph.add_duplex({.from = from,
                                  .to = device,
                                  .kind = LinkKind::nic,
                                  .bandwidth = rate(link) * nic.efficiency * link.cables,
                                  .latency = nic.latency + cable + loads_.at(device).model->latency,
                                  .name = {},
                                  .cables = static_cast<std::uint32_t>(link.cables)},
                                 cable);
        load(device, link.cables, rate(link));
    }
}

void CustomBuilder::add_switch_cables(const spec::CustomSpec::Cable& link, VertexId from,
                                      VertexId to)
{
    const auto kind_of = [&](VertexId at) { return fabric_.graph.vertices()[at.index()].kind; };
    join_switches(fabric_, cluster_,
                  {.from = from,
                   .to = to,
                   .kind = link_kind(kind_of(from), kind_of(to)),
                   .rate = rate(link),
                   .cables = link.cables,
                   .from_latency = loads_.at(from).model->latency,
                   .to_latency = loads_.at(to).model->latency,
                   .cable_latency = link.latency});
    load(from, link.cables, rate(link));
    load(to, link.cables, rate(link));
}

void CustomBuilder::add_links()
{
    for (std::size_t i = 0; i < spec_.links.size(); ++i) {
        const auto& link = spec_.links[i];
        const auto key = fmt::format("links.{}", i);
        const auto from = find(key + ".from", link.from);
        const auto to = find(key + ".to", link.to);
        if (!from || !to) {
            continue;
        }
        if (from->device && to->device && from->device != to->device) {
            add_switch_cables(link, *from->device, *to->device);
        } else if (from->device && !to->device) {
            add_nic_cables(link, *from->device, to->nics);
        } else if (to->device && !from->device) {
            add_nic_cables(link, *to->device, from->nics);
        } else {
            complain(diagnostics_, key,
                     fmt::format("joins \"{}\" to \"{}\", and neither end is another switch",
                                 link.from, link.to),
                     "put a switch between them: only switches pass traffic on");
        }
    }
}

void CustomBuilder::check_load()
{
    for (const auto nic : fabric_.nics) {
        bool has_port = false;
        for (const auto id : fabric_.graph.out_links(nic)) {
            has_port = has_port || fabric_.graph.links()[id.index()].kind == LinkKind::nic;
        }
        if (!has_port) {
            complain(diagnostics_, "links",
                     fmt::format("lead to no switch from {}",
                                 fabric_.graph.vertices()[nic.index()].name),
                     "add a link, or give the node fewer nics");
        }
    }
    for (const auto& [vertex, load] : loads_) {
        const auto& name = fabric_.graph.vertices()[vertex.index()].name;
        if (load.ports > load.model->max_ports) {
            complain(diagnostics_, "switches",
                     fmt::format("{} cables end at {}, but \"{}\" has {} ports", load.ports, name,
                                 load.model->name, load.model->max_ports),
                     "use a larger model");
        }
        if (load.rate > load.model->capacity * (1 + 1e-9)) {
            complain(diagnostics_, "switches",
                     fmt::format("cables of {} end at {}, but \"{}\" switches {}",
                                 to_bit_text(load.rate), name, load.model->name,
                                 to_bit_text(load.model->capacity)),
                     "use a larger model");
        }
    }
}

}  // namespace

void add_custom(Fabric& fabric, const spec::ClusterSpec& cluster)
{
    CustomBuilder builder{fabric, cluster};
    builder.add_switches();
    builder.add_links();
    builder.throw_if_wrong();
    builder.check_load();
    builder.throw_if_wrong();
}

}  // namespace sim::fabric
