#include "formats/topology_write.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/contract.hpp"
#include "core/quantity_text.hpp"
#include "formats/topology_complete.hpp"

namespace sim::formats
{

namespace
{

/// In quotes, so that no name is taken for a number, a date or a key.
std::string in_quotes(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

/// Short where that is exact.
std::string text_of(Bandwidth rate)
{
    const auto brief = to_bit_text(rate);
    return parse<Bandwidth>(brief).value == rate ? brief : to_exact_text(rate);
}

std::string text_of(Time time)
{
    const auto brief = to_text(time);
    return parse<Time>(brief).value == time ? brief : to_exact_text(time);
}

class Writer
{
public:
    Writer(const Topology& topology, const TopologyParts& parts, const std::string& path)
        : topology_{topology}, parts_{parts}, path_{path}
    {
        head();
        node();
        network();
        line("collective: {}", part("collective", parts.collective));
    }

    std::string yaml() && { return std::move(yaml_); }

private:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args)
    {
        yaml_ += fmt::format(format, std::forward<Args>(args)...) + '\n';
    }

    [[nodiscard]] std::string path_of(const std::string& folder, const std::string& name) const
    {
        return in_quotes(fmt::format("{}/{}/{}.yaml", parts_.hardware, folder, name));
    }
    [[nodiscard]] std::string part(const std::string& folder, const std::string& name) const
    {
        return "{ extends: " + path_of(folder, name) + " }";
    }
    [[nodiscard]] std::string sourced(const std::string& value) const
    {
        return fmt::format("{{ value: {}, source: {} }}", value, in_quotes(path_));
    }

    void comment(std::string text)
    {
        std::replace_if(
            text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; },
            ' ');
        line("# {}", text);
    }

    void head()
    {
        comment(fmt::format("From {}, {}; written by weftsim import topology.", path_,
                            topology_.format));
        for (const auto& warning : topology_.warnings) {
            const auto at = warning.line > 0 ? fmt::format("line {}: ", warning.line) : "";
            comment(at + warning.message);
        }
        line("name: {}", in_quotes(topology_.name));
        line("nodes: {}", topology_.nodes);
        line("gpus_per_node: {}", topology_.inside.gpus.value());
        line("gpu: {}", part("gpu", parts_.gpu));
    }

    void node()
    {
        const auto& inside = topology_.inside;
        std::visit([&](const auto& spec) { scale_up(spec); }, inside.scale_up.value());
        if (!is_pcie_only(*inside.scale_up)) {
            line("nvlink:\n  extends: {}", path_of("nvlink", parts_.nvlink));
            if (inside.nvlink) {
                line("  bandwidth: {}", sourced(text_of(*inside.nvlink)));
            }
        }
        line("pcie:\n  extends: {}", path_of("pcie", parts_.pcie));
        if (inside.pcie_generation) {
            line("  generation: {}", sourced(fmt::format("{}", *inside.pcie_generation)));
            line("  lanes: {}", sourced(fmt::format("{}", inside.pcie_lanes.value())));
        }
        line("nic:\n  extends: {}", path_of("nic", parts_.nic));
        if (inside.nic) {
            line("  bandwidth: {}", sourced(text_of(*inside.nic)));
        }
        line("  per_node: {}", inside.nics.value());
        if (!inside.nic_of_gpu.empty()) {
            line("  of_gpu: [{}]", fmt::join(inside.nic_of_gpu, ", "));
        }
        if (!inside.socket_of_gpu.empty()) {
            host();
        }
    }

    void host()
    {
        const auto& inside = topology_.inside;
        const auto last =
            std::max(*std::max_element(inside.socket_of_gpu.begin(), inside.socket_of_gpu.end()),
                     *std::max_element(inside.socket_of_nic.begin(), inside.socket_of_nic.end()));
        line("host:\n  sockets: {}", last + 1);
        line("  socket_of_gpu: [{}]", fmt::join(inside.socket_of_gpu, ", "));
        line("  socket_of_nic: [{}]", fmt::join(inside.socket_of_nic, ", "));
        line("  socket_link: {{ bandwidth: {}, latency: {} }}",
             to_exact_text(parts_.socket_link->bandwidth), text_of(parts_.socket_link->latency));
    }

    void scale_up(const spec::HgxSpec& spec)
    {
        line("node: {{ kind: hgx, planes: {} }}", spec.planes);
    }
    void scale_up(const spec::Nvl72Spec& spec)
    {
        line("node: {{ kind: nvl72, switch_trays: {} }}", spec.switch_trays);
    }
    void scale_up(const spec::MeshSpec& spec)
    {
        line("node:\n  kind: mesh\n  links_per_gpu: {}\n  pairs:", spec.links_per_gpu);
        for (const auto& pair : spec.pairs) {
            line("    - {{ gpus: [{}, {}], links: {} }}", pair.gpus[0], pair.gpus[1], pair.links);
        }
    }
    template <class Plain>
    void scale_up(const Plain& /*spec*/)
    {
        line("node: {{ kind: {} }}", Plain::kKind);
    }

    void network()
    {
        line("fabric:");
        std::visit([&](const auto& spec) { fabric(spec); }, topology_.network);
        line("  cable_latency: {}", text_of(topology_.cable_latency.value()));
    }

    [[nodiscard]] std::string device(const spec::SwitchSpec& own) const
    {
        if (!parts_.device.empty()) {
            return part("switch", parts_.device);
        }
        return fmt::format("{{ name: {}, capacity: {}, max_ports: {}, latency: {} }}", own.name,
                           text_of(own.capacity), own.max_ports, text_of(own.latency));
    }
    void add_switch()
    {
        line("  switch: {}", device(topology_.device.value_or(spec::SwitchSpec{})));
    }

    void fabric(const spec::LeafSpineSpec& spec)
    {
        line("  kind: leaf_spine\n  nodes_per_leaf: {}\n  oversubscription: {}",
             spec.nodes_per_leaf, spec.oversubscription);
        line("  spines: {}\n  uplink: {}", spec.spines.value(), text_of(spec.uplink.value()));
        line("  leaf: {}\n  spine: {}", device(spec.leaf), device(spec.spine));
    }
    void fabric(const spec::SingleSwitchSpec& /*spec*/)
    {
        line("  kind: single_switch");
        add_switch();
    }
    void fabric(const spec::TorusSpec& spec)
    {
        line("  kind: torus\n  sides: [{}]\n  link: {}", fmt::join(spec.sides, ", "),
             text_of(spec.link.value()));
        add_switch();
    }
    void fabric(const spec::DragonflySpec& spec)
    {
        line("  kind: dragonfly\n  nodes_per_switch: {}\n  switches_per_group: {}",
             spec.nodes_per_switch, spec.switches_per_group);
        line("  global_ports: {}\n  groups: {}\n  links_per_pair: {}", spec.global_ports,
             spec.groups.value(), spec.links_per_pair.value());
        line("  local_link: {}\n  global_link: {}", text_of(spec.local_link.value()),
             text_of(spec.global_link.value()));
        add_switch();
    }
    void fabric(const spec::CustomSpec& spec)
    {
        line("  kind: custom");
        add_switch();
        line("  nodes:");
        for (const auto& one : spec.nodes) {
            line("    - {{ name: {}{} }}", in_quotes(one.name),
                 one.nics ? fmt::format(", nics: {}", *one.nics) : "");
        }
        line("  switches:");
        for (const auto& one : spec.switches) {
            line("    - {{ name: {}, tier: {} }}", in_quotes(one.name), tier(one.tier));
        }
        line("  links:");
        for (const auto& link : spec.links) {
            line("    - {{ from: {}, to: {}{}{}{} }}", in_quotes(link.from), in_quotes(link.to),
                 link.bandwidth ? ", bandwidth: " + text_of(*link.bandwidth) : "",
                 link.latency ? ", latency: " + text_of(*link.latency) : "",
                 link.cables > 1 ? fmt::format(", cables: {}", link.cables) : "");
        }
    }
    template <class Other>
    void fabric(const Other& /*spec*/)
    {
        contract_failed(__FILE__, __LINE__, "no importer makes this kind");
    }

    static const char* tier(spec::Tier tier)
    {
        return tier == spec::Tier::leaf ? "leaf" : tier == spec::Tier::spine ? "spine" : "core";
    }

    const Topology& topology_;
    const TopologyParts& parts_;
    const std::string& path_;
    std::string yaml_;
};

}  // namespace

const std::vector<std::string>& plain_node_kinds()
{
    static const std::vector<std::string> kinds{
        std::string{spec::HgxSpec::kKind}, std::string{spec::Nvl72Spec::kKind},
        std::string{spec::Dgx1Spec::kKind}, std::string{spec::XgmiSpec::kKind},
        std::string{spec::PcieNodeSpec::kKind}};
    return kinds;
}

WrittenTopology write_topology(const Topology& topology, const TopologyParts& parts,
                               const std::string& path)
{
    const auto whole = complete_topology(topology, parts, path);
    return {Writer{whole, parts, path}.yaml(), whole.warnings};
}

}  // namespace sim::formats
