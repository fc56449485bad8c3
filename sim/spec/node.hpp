#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/quantity.hpp"
#include "spec/checker.hpp"
#include "spec/fabric.hpp"
#include "spec/gpu.hpp"
#include "spec/pcie.hpp"
#include "spec/tiers.hpp"

namespace sim::spec
{

/// GPU to GPU inside a node. Bandwidths are per GPU and direction, over all its links.
struct NvlinkSpec {
    Bandwidth bandwidth{};
    double efficiency = 0;  ///< what a collective's payload gets of it, in (0, 1]
    Time latency{};         ///< one hop GPU to GPU, also through a switch
    friend bool operator==(const NvlinkSpec&, const NvlinkSpec&) = default;
};

/// One network port.
struct NicSpec {
    std::string name{};
    Bandwidth bandwidth{};  ///< line rate per direction
    double efficiency = 0;  ///< payload share after headers, in (0, 1]
    Time latency{};         ///< software post plus adapter, once per message on the sending side
    Upkeep upkeep{};
    friend bool operator==(const NicSpec&, const NicSpec&) = default;
};

/// Every GPU joined to `planes` NVSwitches, each with an equal part of its bandwidth.
/// sim/fabric/hgx_node.md
struct HgxSpec {
    static constexpr std::string_view kKind = "hgx";
    int planes = 1;
    friend bool operator==(const HgxSpec&, const HgxSpec&) = default;
};

/// A rack: trays of four GPUs, every GPU joined to every switch tray. sim/fabric/nvl72_node.md
struct Nvl72Spec {
    static constexpr std::string_view kKind = "nvl72";
    int switch_trays = 9;
    friend bool operator==(const Nvl72Spec&, const Nvl72Spec&) = default;
};

/// The hybrid cube mesh of eight GPUs. sim/fabric/dgx1_node.md
struct Dgx1Spec {
    static constexpr std::string_view kKind = "dgx1";
    friend bool operator==(const Dgx1Spec&, const Dgx1Spec&) = default;
};

/// Every GPU joined to every other. sim/fabric/xgmi_node.md
struct XgmiSpec {
    static constexpr std::string_view kKind = "xgmi";
    friend bool operator==(const XgmiSpec&, const XgmiSpec&) = default;
};

/// GPU pairs as they are listed. sim/fabric/mesh_node.md
struct MeshSpec {
    static constexpr std::string_view kKind = "mesh";
    struct Pair {
        std::array<int, 2> gpus{};
        int links = 1;
        friend bool operator==(const Pair&, const Pair&) = default;
    };
    int links_per_gpu = 0;  ///< that share nvlink.bandwidth
    std::vector<Pair> pairs{};
    friend bool operator==(const MeshSpec&, const MeshSpec&) = default;
};

/// No links but PCIe. sim/fabric/pcie_node.md
struct PcieNodeSpec {
    static constexpr std::string_view kKind = "pcie";
    friend bool operator==(const PcieNodeSpec&, const PcieNodeSpec&) = default;
};

using ScaleUp = std::variant<HgxSpec, Nvl72Spec, Dgx1Spec, XgmiSpec, MeshSpec, PcieNodeSpec>;

/// CPU sockets and what hangs on them. sim/fabric/host.md
struct HostSpec {
    int sockets = 0;                 ///< 0: not modelled; each NIC's PCIe switch stands alone
    bool nic_under_switch = true;    ///< false: NICs and GPUs are on the sockets' own ports
    bool peer_through_root = false;  ///< access control sends GPU-NIC traffic up to the socket
    std::vector<int> socket_of_gpu{};
    std::vector<int> socket_of_nic{};
    std::optional<HostLinkSpec> socket_link{};  ///< between every two sockets
    std::optional<HostLinkSpec> c2c{};          ///< GPU to its socket instead of a slot
    std::optional<HostDramSpec> dram{};         ///< of each socket
    std::optional<HostCpuSpec> cpu{};           ///< of each socket
    std::optional<StorageSpec> storage{};
    std::optional<PoolSpec> pool{};
    std::optional<FileSystemSpec> files{};
    friend bool operator==(const HostSpec&, const HostSpec&) = default;
};

struct NodeSpec {
    int gpus = 0;
    GpuSpec gpu{};
    NvlinkSpec nvlink{};
    PcieSpec pcie{};
    NicSpec nic{};
    std::vector<int> nic_of_gpu{};  ///< nic_of_gpu[g]: index of the NIC that serves GPU g
    int nics = 0;
    ScaleUp scale_up{};
    HostSpec host{};
    friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
};

/// The word `node.kind` uses.
[[nodiscard]] std::string_view kind_name(const NodeSpec& node);

/// GPU g of `gpus` on thing g * things / gpus: neighbours share.
[[nodiscard]] std::vector<int> spread_evenly(int gpus, int things);

/// What holds data besides the GPUs; complains under "KEY.dram.", ".storage.", ".pool."
/// and ".files.".
[[nodiscard]] Diagnostics validate(const HostSpec& host, int nics, const std::string& key);

/// Complains under "nvlink.", "pcie.", "nic.", "node." and "host.".
void check_node(Checker& check, const NodeSpec& node);

}  // namespace sim::spec
