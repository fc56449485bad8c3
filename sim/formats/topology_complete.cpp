#include "formats/topology_complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/quantity_text.hpp"

namespace sim::formats
{

namespace
{

spec::ScaleUp scale_up_named(const std::string& kind)
{
    if (kind == spec::Nvl72Spec::kKind) {
        return spec::Nvl72Spec{};
    }
    if (kind == spec::Dgx1Spec::kKind) {
        return spec::Dgx1Spec{};
    }
    if (kind == spec::XgmiSpec::kKind) {
        return spec::XgmiSpec{};
    }
    if (kind == spec::PcieNodeSpec::kKind) {
        return spec::PcieNodeSpec{};
    }
    return spec::HgxSpec{};
}

std::string shown(int value) { return fmt::format("{}", value); }
std::string shown(Bandwidth value) { return to_bit_text(value); }
std::string shown(Time value) { return to_text(value); }

class Completion
{
public:
    Completion(Topology topology, const TopologyParts& parts, const std::string& path)
        : topology_{std::move(topology)}, parts_{parts}, path_{path}
    {
    }

    Topology complete() &&
    {
        auto& inside = topology_.inside;
        settle(inside.gpus, parts_.gpus_per_node,
               {"how many GPUs a node has", "gpus-per-node", "8"});
        settle(inside.nics, parts_.nics_per_node,
               {"how many network ports a node has", "nics-per-node", "8"});
        settle_scale_up();
        name(parts_.gpu, {"which GPUs they are", "gpu", gpu_example()});
        if (!inside.scale_up || !is_pcie_only(*inside.scale_up)) {
            name(parts_.nvlink,
                 {"how efficient and quick the links between GPUs are", "nvlink", "nvlink4-h100"});
        }
        name(parts_.pcie, {"how efficient and quick PCIe is", "pcie", "gen5-x16"});
        name(parts_.nic, {"how efficient and quick the network ports are", "nic", "connectx-7"});
        name(parts_.collective, {"which collective library runs on it", "collective", "nccl"});
        const bool own_switches = topology_.device || has_own_switches();
        if (!own_switches) {
            name(parts_.device, {"which switches they are", "switch", "51.2t"});
        }
        if (parts_.nic_bandwidth) {
            settle(inside.nic, parts_.nic_bandwidth, {"", "nic-bandwidth", "400 Gbps"});
        }
        settle(topology_.cable_latency, parts_.cable_latency,
               {"how long signals take through a cable", "cable-latency", "100 ns"});
        settle_links();
        settle_sockets();
        if (has_errors(diagnostics_)) {
            throw InputError{std::move(diagnostics_)};
        }
        topology_.warnings.insert(topology_.warnings.end(), diagnostics_.begin(),
                                  diagnostics_.end());
        return std::move(topology_);
    }

private:
    /// Something a file may leave open: in words, by its option, and a value to show.
    struct Open {
        std::string what;
        std::string option;
        std::string example;
    };

    void add(Diagnostic::Severity severity, std::string message, std::string hint)
    {
        Diagnostic diagnostic;
        diagnostic.file = path_;
        diagnostic.message = std::move(message);
        diagnostic.hint = std::move(hint);
        diagnostic.severity = severity;
        diagnostics_.push_back(std::move(diagnostic));
    }

    void ask(const Open& open)
    {
        const bool quoted = open.example.find(' ') != std::string::npos;
        const auto* quote = quoted ? "\"" : "";
        add(Diagnostic::Severity::error, "does not say " + open.what,
            fmt::format("add --{} {}{}{}, or what it is", open.option, quote, open.example, quote));
    }

    void name(const std::string& given, const Open& open)
    {
        if (given.empty()) {
            ask(open);
        }
    }

    template <class T>
    void settle(std::optional<T>& in_file, const std::optional<T>& given, const Open& open)
    {
        if (in_file && given && *in_file != *given) {
            add(Diagnostic::Severity::error,
                fmt::format("says {}, --{} says {}", shown(*in_file), open.option, shown(*given)),
                fmt::format("leave --{} out", open.option));
        } else if (!in_file && !given) {
            ask(open);
        } else if (!in_file) {
            in_file = given;
        }
    }

    [[nodiscard]] std::string gpu_example() const
    {
        return topology_.gpu == "A100" ? "a100-sxm-80gb" : "h100-sxm";
    }

    [[nodiscard]] bool has_own_switches() const
    {
        return std::holds_alternative<spec::LeafSpineSpec>(topology_.network);
    }

    /// One GPU has no peer to be joined to.
    void settle_scale_up()
    {
        auto& inside = topology_.inside;
        if (inside.scale_up && !parts_.node_kind.empty()) {
            add(Diagnostic::Severity::error, "says itself how the GPUs of a node are joined",
                "leave --node-kind out");
        } else if (!parts_.node_kind.empty()) {
            inside.scale_up = scale_up_named(parts_.node_kind);
        } else if (!inside.scale_up && inside.gpus == 1) {
            inside.scale_up = spec::PcieNodeSpec{};
        } else if (!inside.scale_up) {
            ask({"how the GPUs of a node are joined", "node-kind", "hgx"});
        }
    }

    void settle_links()
    {
        auto* custom = std::get_if<spec::CustomSpec>(&topology_.network);
        if (custom == nullptr || !topology_.needs_link_bandwidth) {
            if (parts_.link_bandwidth) {
                add(Diagnostic::Severity::error, "says itself how fast its links are",
                    "leave --link-bandwidth out");
            }
            return;
        }
        if (!parts_.link_bandwidth) {
            ask({"how fast the cables between switches are", "link-bandwidth", "400 Gbps"});
            return;
        }
        std::vector<std::string> nodes;
        for (const auto& node : custom->nodes) {
            nodes.push_back(node.name);
        }
        std::sort(nodes.begin(), nodes.end());
        const auto at_node = [&](const std::string& end) {
            return std::binary_search(nodes.begin(), nodes.end(), end.substr(0, end.find('/')));
        };
        for (auto& link : custom->links) {
            if (!link.bandwidth && !at_node(link.from) && !at_node(link.to)) {
                link.bandwidth = parts_.link_bandwidth;
            }
        }
    }

    void settle_sockets()
    {
        const auto& of_gpu = topology_.inside.socket_of_gpu;
        const bool several =
            std::any_of(of_gpu.begin(), of_gpu.end(), [](int socket) { return socket > 0; });
        if (several && !parts_.socket_link) {
            add(Diagnostic::Severity::warning,
                "its CPU sockets are not written: it does not say what joins them",
                "add --socket-bandwidth \"62 GB/s\" --socket-latency \"150 ns\", or what they are");
        }
        if (!several || !parts_.socket_link) {
            topology_.inside.socket_of_gpu.clear();
            topology_.inside.socket_of_nic.clear();
        }
        if (!several && parts_.socket_link) {
            add(Diagnostic::Severity::error, "shows no second CPU socket",
                "leave --socket-bandwidth and --socket-latency out");
        }
    }

    Topology topology_;
    const TopologyParts& parts_;
    const std::string& path_;
    Diagnostics diagnostics_;
};

}  // namespace

bool is_pcie_only(const spec::ScaleUp& scale_up)
{
    return std::holds_alternative<spec::PcieNodeSpec>(scale_up);
}

Topology complete_topology(Topology topology, const TopologyParts& parts, const std::string& path)
{
    return Completion{std::move(topology), parts, path}.complete();
}

}  // namespace sim::formats
