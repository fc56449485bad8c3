#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "fabric/fabric.hpp"

namespace sim::collective
{

enum class Kind : std::uint8_t {
    all_reduce,
    all_gather,
    reduce_scatter,
    send_recv,
    all_to_all,
    broadcast,
    reduce,
    barrier,
};

/// Members send to each other what nobody else needs.
[[nodiscard]] constexpr bool sends_pairs(Kind kind)
{
    return kind == Kind::send_recv || kind == Kind::all_to_all;
}

using spec::Algorithm;

/// HBM of a GPU, as a collective uses it.
struct MemoryUse {
    GpuId gpu;
    double consumption;  ///< bytes of HBM traffic per byte of the flow's amount
};

/// Link use, per byte of the flow's amount.
struct LinkUse {
    LinkId link;
    double consumption;
};

/// A part of a flow's links: what goes from one GPU to another over the network.
struct RouteUse {
    GpuId from;
    GpuId to;
    std::uint64_t label = 0;
    double consumption = 1;  ///< bytes per byte of the flow's amount
};

/// One hop of a flow on its own: what each of its steps asks for.
struct Hop {
    GpuId from;
    GpuId to;
    Time latency{};
    double share = 1;
    std::vector<LinkUse> links;
    std::vector<MemoryUse> memories;
    double rate_cap = std::numeric_limits<double>::infinity();  ///< bytes/s of the flow's amount
    std::vector<std::uint32_t> waits{};  ///< in a pipeline: earlier hops that bring the same chunk
};

/// One activity: everything that moves in step, at the pace of its slowest hop.
struct Flow {
    double amount = 0;  ///< bytes that pass each hop
    Time latency{};     ///< of all the steps the pipeline takes before the last byte
    double share = 1;
    double rate_cap = std::numeric_limits<double>::infinity();  ///< bytes/s of amount
    std::vector<LinkUse> links;
    std::vector<MemoryUse> memories;
    std::vector<RouteUse> routes;  ///< among `links` are their hops; for who routes them anew
    std::uint32_t steps = 1;       ///< each passes `amount / steps` bytes over every hop
    std::vector<Hop> hops;         ///< in ring order; only when the request asks for them
    bool pipeline = false;         ///< hops wait for what Hop::waits names, not for the one before
};

/// Chunks of one flow that have to pass one after another, from the first start to the last end.
[[nodiscard]] std::uint32_t chunks_in_line(const Flow& flow);

/// Flows that run together; the next phase starts when the last has ended.
struct Phase {
    std::vector<Flow> flows;
};

/// A collective as clockless data.
struct Schedule {
    std::vector<Phase> phases;
    Time lower_bound{};     ///< no machine with these links can be faster
    LinkId binding_link{};  ///< the link that sets it
    Algorithm algorithm = Algorithm::ring;
    std::optional<spec::Protocol> protocol{};  ///< when the library's tuning is known
    std::size_t channels = 0;                  ///< flows of the first phase
    bool includes_launch = false;              ///< the launch is part of the first phase's latency
};

/// What is asked: `size` is nccl-tests' size (the larger buffer of a rank).
struct Request {
    Kind kind = Kind::all_reduce;
    Bytes size{};
    std::span<const GpuId> members;              ///< in communicator order
    Algorithm algorithm = Algorithm::automatic;  ///< that: as the cluster's description says
    std::uint64_t label = 0;                     ///< tells communicators apart for ecmp
    bool hops = false;                           ///< also Flow::hops
    /// all_to_all of unequal parts: bytes of member i for member j at [i * members + j]; else
    /// empty.
    std::span<const double> parts{};
};

/// Schedules collectives on a machine. Size 0, one member and sizes below the member count work.
class Planner
{
public:
    Planner(const fabric::Fabric& fabric, const fabric::Router& router,
            const spec::ClusterSpec& cluster);

    [[nodiscard]] Schedule plan(const Request& request) const;

private:
    const fabric::Fabric& fabric_;
    const fabric::Router& router_;
    const spec::ClusterSpec& cluster_;
};

}  // namespace sim::collective
