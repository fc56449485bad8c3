#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"

namespace sim::spec
{

enum class Algorithm : std::uint8_t {
    automatic,
    ring,
    hierarchical,       ///< in the node, rings over rails, in the node
    hierarchical_tree,  ///< the same with double binary trees over rails
    hierarchical_3,     ///< rails first inside the group of a leaf, then between groups
    tree,               ///< double binary tree of nodes, a chain inside each
    nvls,               ///< reduction inside the NVSwitch of one node
    nvls_tree,          ///< the same, and a double binary tree of nodes
    multimem,           ///< as nvls, by loads and stores of the kernel itself
    sharp,              ///< reduction inside the switches of the network
    torus,              ///< rings along every dimension of a torus
    direct,             ///< everyone with everyone
    halving_doubling,
    bruck,
    pat,  ///< parallel aggregated trees
};

/// Every algorithm by the word a user writes.
[[nodiscard]] const std::vector<std::pair<std::string, Algorithm>>& algorithm_words();

/// They do nothing but an all-reduce.
[[nodiscard]] constexpr bool only_reduces_whole(Algorithm algorithm)
{
    return algorithm == Algorithm::tree || algorithm == Algorithm::nvls ||
           algorithm == Algorithm::nvls_tree || algorithm == Algorithm::multimem ||
           algorithm == Algorithm::sharp || algorithm == Algorithm::hierarchical_tree;
}

/// What a user forces; automatic where the library chooses.
struct AlgorithmChoice {
    Algorithm all_reduce = Algorithm::automatic;
    Algorithm all_gather = Algorithm::automatic;
    Algorithm reduce_scatter = Algorithm::automatic;
    Algorithm all_to_all = Algorithm::automatic;
    friend bool operator==(const AlgorithmChoice&, const AlgorithmChoice&) = default;
};

/// How a library puts data on a wire: with a flag in every 8 bytes (LL) or 128 bytes (LL128), or
/// with a flag per chunk (Simple).
enum class Protocol : std::uint8_t { ll, ll128, simple };

/// What one protocol costs on one GPU generation.
struct ProtocolSpec {
    Time base{};         ///< once per collective, beyond the tuning's own
    Time nvlink_hop{};   ///< one step to a GPU of the same node
    Time network_hop{};  ///< what a step to another node takes beyond the transport's latency
    double share = 1;    ///< payload in the bytes on the wire, in (0, 1]
    std::optional<Bandwidth> ceiling{};          ///< bus bandwidth of a group inside one node
    std::optional<Bandwidth> network_ceiling{};  ///< and of one over several
    friend bool operator==(const ProtocolSpec&, const ProtocolSpec&) = default;
};

/// What a step takes longer as its chunk grows: the whole ramp once S is far above `full`, half of
/// it at `full`.
struct RampSpec {
    Time ramp{};
    Bytes full{};
    friend bool operator==(const RampSpec&, const RampSpec&) = default;
};

/// The way between nodes: its software and adapter, beyond the wires.
struct TransportSpec {
    std::string name{};
    Time latency{};
    friend bool operator==(const TransportSpec&, const TransportSpec&) = default;
};

/// Reduction inside the NVSwitch (NVLS), and trees of such nodes.
struct NvlsSpec {
    double efficiency = 0;  ///< of the NVLink bandwidth a ring gets, in (0, 1]
    Time latency{};         ///< beyond the base of Simple
    Bytes chunk{};          ///< in flight per member: channels * chunk
    friend bool operator==(const NvlsSpec&, const NvlsSpec&) = default;
};

/// Reduction inside the switches of the network (SHARP).
struct SharpSpec {
    double efficiency = 0;  ///< of a NIC's payload rate that the switches aggregate at, in (0, 1]
    Time latency{};         ///< up to the root of the switches and down, beyond the transport's
    int most_nodes = 0;     ///< a tree of aggregation spans
    friend bool operator==(const SharpSpec&, const SharpSpec&) = default;
};

/// A collective library on one GPU generation and one transport, as far as it decides about time.
/// sim/collective/tuning.md has the equations.
struct CollectiveTuning {
    Time base{};                    ///< of every collective: launch, first flags
    Time host_launch{};             ///< a host thread starts one kernel in this time
    int gpus_per_process = 1;       ///< kernels one thread has to start
    std::optional<Time> harness{};  ///< least time between two collectives of the measuring program
    ProtocolSpec ll{};
    std::optional<ProtocolSpec> ll128{};
    ProtocolSpec simple{};
    RampSpec ll_ramp{};          ///< per step of LL; `full` per member
    Bytes ring_fill{};           ///< in flight in a ring of Simple when chunks have full size
    Bytes flight{};              ///< the same on each hop of a tree or chain between nodes
    double tree_depth = 0;       ///< transport latencies a full pipeline adds per level of a tree
    double tree_efficiency = 1;  ///< of NVLink in a chain, in (0, 1]
    TransportSpec transport{};
    std::optional<NvlsSpec> nvls{};
    std::optional<SharpSpec> sharp{};
    friend bool operator==(const CollectiveTuning&, const CollectiveTuning&) = default;
};

/// What the collective library costs besides the wires.
struct CollectiveSpec {
    std::string name{};
    int channel_sms = 0;  ///< SMs held by a running collective kernel
    Time launch{};        ///< from the last member ready to the first byte, without `tuning`
    std::optional<CollectiveTuning> tuning{};
    AlgorithmChoice algorithm{};
    friend bool operator==(const CollectiveSpec&, const CollectiveSpec&) = default;
};

/// `sms`: of the GPU the library runs on.
[[nodiscard]] Diagnostics validate(const CollectiveSpec& collective, const std::string& key,
                                   int sms);

}  // namespace sim::spec
