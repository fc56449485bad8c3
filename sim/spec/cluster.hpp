#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/gpu.hpp"

namespace sim::spec
{

/// GPU to GPU inside a node, through NVSwitch. Bandwidths are per GPU and direction.
struct NvlinkSpec {
    Bandwidth bandwidth{};
    double efficiency = 0;  ///< what a collective's payload gets of it, in (0, 1]
    Time latency{};         ///< one hop GPU to GPU through the switch
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
};

struct SwitchSpec {
    std::string name{};
    Bandwidth capacity{};  ///< sum over ports, one direction
    int max_ports = 0;     ///< the radix it can be split into
    Time latency{};        ///< port to port, cut-through
};

enum class Routing {
    even,  ///< every flow spread evenly over all shortest paths
    ecmp,  ///< every connection hashed to one shortest path, by seed
};

/// The network between nodes. `kind` names a builder of fabric/catalogue.cpp.
struct FabricSpec {
    std::string kind{};  ///< "leaf_spine"
    int nodes_per_leaf = 0;
    double oversubscription = 1;        ///< downlink over uplink capacity of a leaf
    std::optional<int> spines{};        ///< absent: as few as have the ports for all uplinks
    std::optional<Bandwidth> uplink{};  ///< one leaf-spine cable; absent: the NIC's line rate
    SwitchSpec leaf{};
    SwitchSpec spine{};
    Time cable_latency{};  ///< one cable between switches or from NIC to switch
    Routing routing = Routing::even;
    int connections = 1;  ///< connections a pair of NICs opens; each is hashed on its own
};

/// What the collective library costs besides the wires.
struct CollectiveSpec {
    std::string name{};
    int channel_sms = 0;  ///< SMs held by a running collective kernel
    Time launch{};        ///< from the last member ready to the first byte
};

struct NodeSpec {
    int gpus = 0;
    GpuSpec gpu{};
    NvlinkSpec nvlink{};
    PcieSpec pcie{};
    NicSpec nic{};
    std::vector<int> nic_of_gpu{};  ///< nic_of_gpu[g]: index of the NIC under GPU g's PCIe switch
    int nics = 0;
};

/// Nodes of one kind joined by one fabric.
struct ClusterSpec {
    std::string name{};
    int nodes = 0;
    NodeSpec node{};
    FabricSpec fabric{};
    CollectiveSpec collective{};
};

[[nodiscard]] Diagnostics validate(const ClusterSpec& cluster, const std::string& key);

}  // namespace sim::spec
