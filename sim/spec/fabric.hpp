#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/quantity.hpp"
#include "spec/checker.hpp"
#include "spec/routing.hpp"

namespace sim::spec
{

/// What a thing costs to buy and draws when it runs; absent when nobody said.
struct Upkeep {
    std::optional<Money> price{};
    std::optional<Power> power{};
    friend bool operator==(const Upkeep&, const Upkeep&) = default;
};

struct SwitchSpec {
    std::string name{};
    Bandwidth capacity{};  ///< sum over ports, one direction
    int max_ports = 0;     ///< the radix it can be split into
    Time latency{};        ///< port to port, cut-through
    Upkeep upkeep{};
    friend bool operator==(const SwitchSpec&, const SwitchSpec&) = default;
};

/// sim/fabric/leaf_spine.md
struct LeafSpineSpec {
    static constexpr std::string_view kKind = "leaf_spine";

    int nodes_per_leaf = 0;
    double oversubscription = 1;        ///< downlink over uplink capacity of a leaf
    std::optional<int> spines{};        ///< absent: as few as have the ports for all uplinks
    std::optional<Bandwidth> uplink{};  ///< one leaf-spine cable; absent: the NIC's line rate
    SwitchSpec leaf{};
    SwitchSpec spine{};
    friend bool operator==(const LeafSpineSpec&, const LeafSpineSpec&) = default;
};

/// The tiers above the leaves, which several kinds share. sim/fabric/clos.md
struct ClosSpec {
    int tiers = 2;                       ///< 2: leaves and spines; 3: pods of them under cores
    double oversubscription = 1;         ///< down over up capacity of a leaf
    double spine_oversubscription = 1;   ///< the same of a spine; of 3 tiers only
    std::optional<int> parallel{};       ///< cables of a leaf and a spine; absent: 2 tiers: as many
                                         ///< as make the fewest spines, 3 tiers: 1
    std::optional<int> core_parallel{};  ///< of a spine and a core; absent: as many as make the
                                         ///< fewest cores
    std::optional<Bandwidth> uplink{};   ///< one cable between switches; absent: the port's rate
    SwitchSpec leaf{};
    SwitchSpec spine{};
    SwitchSpec core{};  ///< of 3 tiers only
    friend bool operator==(const ClosSpec&, const ClosSpec&) = default;
};

/// k-ary n-tree of switches of `radix` ports. sim/fabric/fat_tree.md
struct FatTreeSpec {
    static constexpr std::string_view kKind = "fat_tree";

    int radix = 0;
    ClosSpec clos{};
    friend bool operator==(const FatTreeSpec&, const FatTreeSpec&) = default;
};

/// NIC r of every node of a block on the block's leaf r. sim/fabric/rail_optimised.md
struct RailOptimisedSpec {
    static constexpr std::string_view kKind = "rail_optimised";

    int nodes_per_block = 0;
    bool cross_rail = true;  ///< false: the spines of a rail join leaves of that rail alone
    ClosSpec clos{};
    friend bool operator==(const RailOptimisedSpec&, const RailOptimisedSpec&) = default;
};

/// Every NIC has one port on each plane. sim/fabric/multi_plane.md
struct MultiPlaneSpec {
    static constexpr std::string_view kKind = "multi_plane";

    int planes = 2;       ///< ports of a NIC, each with an equal part of its line rate
    bool joined = false;  ///< true: dual-ToR, the leaves of all planes share spines
    bool rails = false;   ///< true: leaves as of rail_optimised, else all NICs of a node on one
    int nodes_per_leaf = 0;
    ClosSpec clos{};
    friend bool operator==(const MultiPlaneSpec&, const MultiPlaneSpec&) = default;
};

/// Sides of a grid of switches; a mesh where a side does not wrap. sim/fabric/torus.md
struct TorusSpec {
    static constexpr std::string_view kKind = "torus";

    std::vector<int> sides{};
    std::vector<bool> wrap{};  ///< by side; empty: all do
    int nodes_per_switch = 1;
    int parallel = 1;                 ///< cables between neighbours
    std::optional<Bandwidth> link{};  ///< one of them; absent: the NIC's line rate
    SwitchSpec device{};
    friend bool operator==(const TorusSpec&, const TorusSpec&) = default;
};

/// Groups of fully joined switches, every two groups joined. sim/fabric/dragonfly.md
struct DragonflySpec {
    static constexpr std::string_view kKind = "dragonfly";

    int nodes_per_switch = 0;
    int switches_per_group = 0;
    int global_ports = 0;                    ///< of a switch
    std::optional<int> groups{};             ///< absent: canonical, switches x global ports + 1
    std::optional<int> links_per_pair{};     ///< absent: as many as the global ports give each pair
    std::optional<Bandwidth> local_link{};   ///< absent: the NIC's line rate
    std::optional<Bandwidth> global_link{};  ///< absent: the NIC's line rate
    SwitchSpec device{};
    friend bool operator==(const DragonflySpec&, const DragonflySpec&) = default;
};

/// All NICs on one switch.
struct SingleSwitchSpec {
    static constexpr std::string_view kKind = "single_switch";

    SwitchSpec device{};
    friend bool operator==(const SingleSwitchSpec&, const SingleSwitchSpec&) = default;
};

enum class Tier { leaf, spine, core };

/// Nodes and cables as they are listed. sim/fabric/custom.md
struct CustomSpec {
    static constexpr std::string_view kKind = "custom";

    struct Node {
        std::string name{};
        std::optional<int> gpus{};  ///< absent: cluster.gpus_per_node
        std::optional<int> nics{};  ///< absent: cluster.nic.per_node, at most one a GPU
        friend bool operator==(const Node&, const Node&) = default;
    };
    struct Switch {
        std::string name{};
        Tier tier = Tier::leaf;
        std::optional<SwitchSpec> model{};  ///< absent: `device`
        friend bool operator==(const Switch&, const Switch&) = default;
    };
    struct Cable {
        std::string from{};  ///< a switch, a node (each of its NICs) or "node/nic0"
        std::string to{};
        std::optional<Bandwidth> bandwidth{};  ///< line rate of one; absent: the NIC's
        std::optional<Time> latency{};         ///< absent: fabric.cable_latency
        int cables = 1;
        friend bool operator==(const Cable&, const Cable&) = default;
    };

    SwitchSpec device{};        ///< of every switch that has no model of its own
    std::vector<Node> nodes{};  ///< empty: cluster.nodes alike, "node0", "node1", ...
    std::vector<Switch> switches{};
    std::vector<Cable> links{};
    friend bool operator==(const CustomSpec&, const CustomSpec&) = default;
};

using Network = std::variant<LeafSpineSpec, FatTreeSpec, RailOptimisedSpec, MultiPlaneSpec,
                             TorusSpec, DragonflySpec, SingleSwitchSpec, CustomSpec>;

/// One way over a cable of each tier; absent: FabricSpec::cable_latency.
struct CableTimes {
    std::optional<Time> nic{};
    std::optional<Time> leaf_spine{};
    std::optional<Time> spine_core{};
    std::optional<Time> peer{};
    std::optional<Time> global{};
    friend bool operator==(const CableTimes&, const CableTimes&) = default;
};

/// The network between nodes: what all kinds have, and what its kind has.
struct FabricSpec {
    Network network{};
    Time cable_latency{};  ///< one cable between switches or from NIC to switch
    CableTimes cable_times{};
    Upkeep cable{};  ///< one cable with its transceivers
    Routing routing = Routing::even;
    int connections = 1;  ///< a pair of NICs opens; each carries an equal part of a flow
    QueuePairSpec queue_pairs{};
    std::optional<Time> convergence{};  ///< from a cable's death or return to the routes' change
    std::optional<Time> rebalance{};    ///< of routing by load: running flows are placed anew
    bool cross_by_nvlink = false;  ///< to the GPU whose NIC is on the receiver's rail, then out
    friend bool operator==(const FabricSpec&, const FabricSpec&) = default;
};

/// The word `fabric.kind` uses.
[[nodiscard]] std::string_view kind_name(const FabricSpec& fabric);

/// Queue pairs that the data of one flow between two NICs is split over.
[[nodiscard]] int queue_pairs(const FabricSpec& fabric);

/// Complains under "fabric."; whether the switches have the ports depends on the builder, which
/// checks it.
void check_fabric(Checker& check, const FabricSpec& fabric);

}  // namespace sim::spec
