#include "collective/tuning.hpp"

#include <algorithm>
#include <cmath>

#include "collective/steps.hpp"

namespace sim::collective
{
namespace
{

using spec::Protocol;

/// From 0 to 1 as S grows, one half where it equals `full`.
double filled(double size, double full) { return full > 0 ? size / (size + full) : 1; }

/// Posting a send costs every step of a ring this much once some steps cross the network; three
/// times for Simple. NVIDIA/nccl src/graph/tuning.cc.
constexpr Time kPost = Time::of(1e-6);

/// Bytes of LL that a chain of members holds without waiting for its end: published broadcasts over
/// 8 to 64 GPUs begin to wait at 8 to 64 KiB.
constexpr double kChainWindow = 64 * 1024;

/// Fill of a ring of Simple is half complete at four times its size.
constexpr double kFillSpan = 4;

/// Chunks of a tree or chain have half their size at three times the bytes that full ones keep in
/// flight: the library makes them smaller so that a buffer has several for each hop.
constexpr double kFlightSpan = 3;

const spec::ProtocolSpec* find(const spec::CollectiveTuning& tuning, Protocol protocol)
{
    switch (protocol) {
        case Protocol::ll:
            return &tuning.ll;
        case Protocol::ll128:
            return tuning.ll128 ? &*tuning.ll128 : nullptr;
        case Protocol::simple:
            break;
    }
    return &tuning.simple;
}

/// The parameters of one question, so that its formulas can be read.
struct Question {
    const spec::CollectiveTuning& tuning;
    const GroupShape& group;
    const spec::ProtocolSpec& wire;
    Protocol protocol;
    double size;

    [[nodiscard]] bool across() const { return group.nodes > 1; }
    [[nodiscard]] bool simple() const { return protocol == Protocol::simple; }
    [[nodiscard]] double levels() const
    {
        return std::log2(static_cast<double>(std::max<std::size_t>(group.nodes, 1)));
    }
    [[nodiscard]] Time network() const { return tuning.transport.latency + wire.network_hop; }
    [[nodiscard]] double ll_fill() const
    {
        const double full = static_cast<double>(tuning.ll_ramp.full.base());
        return filled(size, full * static_cast<double>(group.ranks));
    }
    [[nodiscard]] Time depth(double latencies, double full) const
    {
        return tuning.transport.latency * (latencies * filled(size, full));
    }
    /// Full chunks waiting on `crossings` hops between nodes and `inside` hops in them.
    [[nodiscard]] Time hops_filled(double crossings, double inside) const
    {
        const double flight = static_cast<double>(tuning.flight.base());
        const double bytes = flight * filled(size, kFlightSpan * flight);
        return Time::of(bytes * (crossings / group.network.base() + inside / group.nvlink.base()));
    }
};

void add_ring(ProtocolCost& cost, const Question& ask, Kind kind)
{
    const double steps = ring_step_count(kind, static_cast<std::uint32_t>(ask.group.ranks));
    const double rounds = kind == Kind::all_reduce ? 2 : 1;
    const double crossings = ask.across() ? rounds * static_cast<double>(ask.group.nodes - 1) : 0;
    auto inside = ask.wire.nvlink_hop;
    if (ask.across()) {
        inside = std::max(inside, kPost * (ask.simple() ? 3.0 : 1.0));
    }
    cost.latency += inside * (steps - crossings) + ask.network() * crossings;
    if (ask.protocol == Protocol::ll) {
        cost.latency += ask.tuning.ll_ramp.ramp * (steps * ask.ll_fill());
    }
    if (ask.simple()) {
        const double fill = static_cast<double>(ask.tuning.ring_fill.base());
        cost.fill = fill * filled(ask.size, kFillSpan * fill);
    }
}

void add_tree(ProtocolCost& cost, const Question& ask)
{
    const double chain = static_cast<double>(ask.group.per_node - 1);
    const double up = std::ceil(ask.levels());
    cost.latency += 2 * (ask.wire.nvlink_hop * chain + ask.network() * up);
    if (ask.protocol == Protocol::ll) {
        cost.latency += ask.tuning.ll_ramp.ramp * (2 * (chain + ask.levels()) * ask.ll_fill());
    }
    if (ask.simple()) {
        const double full = kFlightSpan * static_cast<double>(ask.tuning.flight.base());
        cost.latency += ask.depth(ask.tuning.tree_depth * ask.levels(), full) +
                        ask.hops_filled(2 * up, 2 * chain);
    }
}

void add_nvls(ProtocolCost& cost, const Question& ask)
{
    const auto& nvls = *ask.tuning.nvls;
    const double loop =
        static_cast<double>(nvls.chunk.base()) * static_cast<double>(ask.group.per_node);
    cost.latency += nvls.latency;
    cost.fill = loop * filled(ask.size, loop);
    if (ask.across()) {
        cost.latency += 2 * ask.levels() * ask.network() +
                        ask.depth(ask.tuning.tree_depth * ask.levels(), loop) +
                        ask.hops_filled(2 * std::ceil(ask.levels()), 0);
    }
}

/// The kernel's own loads and stores: to the switch and back, and the same to tell the others.
void add_multimem(ProtocolCost& cost, const Question& ask)
{
    cost.latency += 4 * ask.tuning.ll.nvlink_hop;
    if (ask.across()) {
        cost.latency += 2 * ask.levels() * ask.network();
    }
}

/// In the node to the NIC's member and back, and one way through the switches.
void add_sharp(ProtocolCost& cost, const Question& ask)
{
    const double chain = static_cast<double>(ask.group.per_node - 1);
    cost.latency += ask.tuning.sharp->latency + 2 * ask.network() +
                    2 * (chain > 0 ? 1.0 : 0.0) * ask.wire.nvlink_hop;
    if (ask.simple()) {
        cost.latency += ask.hops_filled(2, chain > 0 ? 2 : 0);
    }
}

/// One hop; what does not fit into the chain's buffers also waits for the members behind.
void add_chain(ProtocolCost& cost, const Question& ask)
{
    const double behind = static_cast<double>(ask.group.ranks - 1);
    const double crossings = static_cast<double>(ask.group.nodes - 1);
    const auto others = ask.wire.nvlink_hop * behind + ask.tuning.transport.latency * crossings;
    cost.latency += ask.wire.nvlink_hop;
    if (ask.protocol == Protocol::ll) {
        cost.latency += others * filled(ask.size, kChainWindow);
    } else {
        cost.latency += others;
    }
    if (ask.simple() && ask.across()) {
        cost.latency += ask.hops_filled(crossings, 0);
    }
}

/// Every member posts to every other one.
void add_pairs(ProtocolCost& cost, const Question& ask)
{
    cost.latency += widest_hop(ask.tuning, ask.group, ask.wire);
    cost.latency += ask.tuning.ll.nvlink_hop * static_cast<double>(ask.group.ranks - 2);
}

bool is_nvls(Algorithm algorithm)
{
    return algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree;
}

/// The library does not count what filling a chain takes, so large broadcasts go by Simple.
bool takes_ll128_across(Kind kind)
{
    return kind != Kind::all_reduce && kind != Kind::broadcast && kind != Kind::reduce;
}

/// Protocols are for rings and trees: switches reduce whole chunks.
bool has_protocol(Algorithm algorithm, Protocol protocol)
{
    return algorithm == Algorithm::ring || algorithm == Algorithm::tree ||
           algorithm == Algorithm::direct || protocol == Protocol::simple;
}

void add_algorithm(ProtocolCost& cost, const Question& ask, Kind kind, Algorithm algorithm)
{
    if (algorithm == Algorithm::tree) {
        add_tree(cost, ask);
    } else if (is_nvls(algorithm)) {
        add_nvls(cost, ask);
    } else if (algorithm == Algorithm::multimem) {
        add_multimem(cost, ask);
    } else if (algorithm == Algorithm::sharp) {
        add_sharp(cost, ask);
    } else if (kind == Kind::broadcast || kind == Kind::reduce) {
        add_chain(cost, ask);
    } else if (kind == Kind::send_recv || kind == Kind::all_to_all) {
        add_pairs(cost, ask);
    } else {
        add_ring(cost, ask, kind);
    }
}

}  // namespace

double bus_factor(Kind kind, std::size_t ranks)
{
    const double n = static_cast<double>(ranks);
    switch (kind) {
        case Kind::all_reduce:
        case Kind::barrier:
            return 2 * (n - 1) / n;
        case Kind::all_gather:
        case Kind::reduce_scatter:
        case Kind::all_to_all:
            return (n - 1) / n;
        case Kind::send_recv:
        case Kind::broadcast:
        case Kind::reduce:
            break;
    }
    return 1;
}

Time widest_hop(const spec::CollectiveTuning& tuning, const GroupShape& group,
                const spec::ProtocolSpec& protocol)
{
    return group.nodes > 1 ? tuning.transport.latency + protocol.network_hop : protocol.nvlink_hop;
}

std::optional<ProtocolCost> protocol_cost(const spec::CollectiveTuning& tuning,
                                          const GroupShape& group, Kind kind, Algorithm algorithm,
                                          Protocol protocol, double size)
{
    const auto* wire = find(tuning, protocol);
    const bool across = group.nodes > 1;
    if (wire == nullptr || !has_protocol(algorithm, protocol) ||
        (protocol == Protocol::ll128 && across && !takes_ll128_across(kind))) {
        return std::nullopt;
    }
    ProtocolCost cost;
    cost.latency = tuning.base + wire->base;
    if (!spec::only_reduces_whole(algorithm) || algorithm == Algorithm::tree) {
        cost.share = wire->share;
        const auto& ceiling = across ? wire->network_ceiling : wire->ceiling;
        cost.ceiling = ceiling ? ceiling->base() : 0;
    }
    add_algorithm(cost, {tuning, group, *wire, protocol, size}, kind, algorithm);
    return cost;
}

}  // namespace sim::collective
