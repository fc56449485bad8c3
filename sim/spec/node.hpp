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

namespace sim::spec
{

/// GPU to GPU inside a node. Bandwidths are per GPU and direction, over all its links.
struct NvlinkSpec {
    Bandwidth bandwidth{};
    double efficiency = 0;  ///< what a collective's payload gets of it, in (0, 1]
    Time latency{};         ///< one hop GPU to GPU, also through a switch
};

/// One slot between a GPU or NIC and its PCIe switch.
struct PcieSpec {
    int generation = 0;     ///< 3 to 7
    int lanes = 0;          ///< 1 to 16
    double efficiency = 0;  ///< payload share after packet headers and flow control, in (0, 1]
    Time latency{};         ///< one crossing
};

/// Raw bytes per second and direction of a slot: transfers/s * lanes * line code / 8.
/// PCI Express Base Specification: 8, 16, 32 GT/s with 128b/130b (Gen3 to 5); 64, 128 GT/s with
/// 242 of 256 bytes payload per FLIT (Gen6, 7).
[[nodiscard]] Bandwidth raw_bandwidth(const PcieSpec& pcie);

/// One network port.
struct NicSpec {
    std::string name{};
    Bandwidth bandwidth{};  ///< line rate per direction
    double efficiency = 0;  ///< payload share after headers, in (0, 1]
    Time latency{};         ///< software post plus adapter, once per message on the sending side
    Upkeep upkeep{};
};

/// Every GPU joined to `planes` NVSwitches, each with an equal part of its bandwidth.
/// sim/fabric/hgx_node.md
struct HgxSpec {
    static constexpr std::string_view kKind = "hgx";
    int planes = 1;
};

/// A rack: trays of four GPUs, every GPU joined to every switch tray. sim/fabric/nvl72_node.md
struct Nvl72Spec {
    static constexpr std::string_view kKind = "nvl72";
    int switch_trays = 9;
};

/// The hybrid cube mesh of eight GPUs. sim/fabric/dgx1_node.md
struct Dgx1Spec {
    static constexpr std::string_view kKind = "dgx1";
};

/// Every GPU joined to every other. sim/fabric/xgmi_node.md
struct XgmiSpec {
    static constexpr std::string_view kKind = "xgmi";
};

/// GPU pairs as they are listed. sim/fabric/mesh_node.md
struct MeshSpec {
    static constexpr std::string_view kKind = "mesh";
    struct Pair {
        std::array<int, 2> gpus{};
        int links = 1;
    };
    int links_per_gpu = 0;  ///< that share nvlink.bandwidth
    std::vector<Pair> pairs{};
};

/// No links but PCIe. sim/fabric/pcie_node.md
struct PcieNodeSpec {
    static constexpr std::string_view kKind = "pcie";
};

using ScaleUp = std::variant<HgxSpec, Nvl72Spec, Dgx1Spec, XgmiSpec, MeshSpec, PcieNodeSpec>;

/// A way to or between sockets that is not a PCIe slot.
struct HostLinkSpec {
    Bandwidth bandwidth{};  ///< payload, per direction
    Time latency{};         ///< one crossing
};

/// CPU sockets and what hangs on them. sim/fabric/host.md
struct HostSpec {
    int sockets = 0;                 ///< 0: not modelled; each NIC's PCIe switch stands alone
    bool nic_under_switch = true;    ///< false: NICs and GPUs are on the sockets' own ports
    bool peer_through_root = false;  ///< access control sends GPU-NIC traffic up to the socket
    std::vector<int> socket_of_gpu{};
    std::vector<int> socket_of_nic{};
    std::optional<HostLinkSpec> socket_link{};  ///< between every two sockets
    std::optional<HostLinkSpec> c2c{};          ///< GPU to its socket instead of a slot
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
};

/// The word `node.kind` uses.
[[nodiscard]] std::string_view kind_name(const NodeSpec& node);

/// GPU g of `gpus` on thing g * things / gpus: neighbours share.
[[nodiscard]] std::vector<int> spread_evenly(int gpus, int things);

/// Complains under "nvlink.", "pcie.", "nic.", "node." and "host.".
void check_node(Checker& check, const NodeSpec& node);

}  // namespace sim::spec
