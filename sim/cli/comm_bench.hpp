#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collective/schedule.hpp"
#include "engine/engine.hpp"
#include "replay/machine.hpp"

namespace sim::cli
{

/// The busiest link of one class, while one collective ran.
struct BusiestLink {
    std::string kind;  ///< "nvlink", "nic", ...
    std::string name;
    double bytes = 0;
    double line = 0;   ///< bytes/s it can carry
    double share = 0;  ///< of the time, in [0, 1]
};

/// One collective on the machine.
struct CommResult {
    collective::Kind kind{};
    std::size_t ranks = 0;
    Bytes size{};
    Time time{};
    Time alone{};      ///< the same with nothing beside it
    double algbw = 0;  ///< bytes/s
    double busbw = 0;  ///< bytes/s, by nccl-tests' factor
    std::string algorithm;
    std::string protocol;  ///< "-" without a library's tuning
    std::size_t channels = 0;
    std::string binding;  ///< latency, ceiling, host, or the class of the link that is busy longest
    std::string link;     ///< that link
    double link_bytes = 0;
    Time lower_bound{};
    std::vector<BusiestLink> tiers;  ///< by class of links
};

/// A machine on which collectives run through the engine, as nccl-tests does. Each measurement
/// begins at 0 of the cluster's events and outages.
class CommBench
{
public:
    explicit CommBench(const spec::ClusterSpec& cluster, std::uint64_t seed = 0,
                       engine::Kind engine = engine::Kind::native);

    [[nodiscard]] const spec::ClusterSpec& cluster() const { return cluster_; }
    [[nodiscard]] std::size_t gpus() const { return machine_.fabric().gpus.size(); }
    /// Ranks that have a place, and where: as the cluster's placement says.
    [[nodiscard]] std::size_t ranks() const { return machine_.places(); }
    [[nodiscard]] GpuId gpu_of(RankId rank) const { return machine_.gpu_of(rank); }
    /// The first `ranks` of them.
    [[nodiscard]] std::vector<GpuId> first(std::size_t ranks) const;
    /// `ranks` spread evenly over the first `nodes` nodes; nothing when they do not fit.
    [[nodiscard]] std::vector<GpuId> spread(std::size_t ranks, std::size_t nodes) const;

    [[nodiscard]] CommResult measure(const collective::Request& request);
    /// All start together; `alone` of each is its time without the others.
    [[nodiscard]] std::vector<CommResult> measure(std::span<const collective::Request> requests);

private:
    [[nodiscard]] CommResult result(const collective::Request& request,
                                    const collective::Schedule& schedule, Time time) const;
    void explain(CommResult& result, const collective::Schedule& schedule) const;
    [[nodiscard]] std::vector<Time> run(std::span<const collective::Schedule> schedules);

    spec::ClusterSpec cluster_;
    engine::Kind kind_;
    std::unique_ptr<engine::Engine> engine_;
    replay::Machine machine_;
    collective::Planner planner_;
};

}  // namespace sim::cli
