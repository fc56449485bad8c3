#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "engine/engine.hpp"
#include "fabric/fabric.hpp"
#include "fabric/outages.hpp"
#include "replay/fold_bundle.hpp"
#include "replay/host_tiers.hpp"
#include "replay/resource_kind.hpp"
#include "replay/scaling.hpp"
#include "spec/cluster.hpp"

namespace sim::replay
{

[[nodiscard]] ResourceKind kind_of(fabric::LinkKind kind);

/// One capacity of the machine. Its id is its place in Machine::resources.
struct MachineResource {
    ResourceId id;
    ResourceKind kind;
    double capacity;           ///< units/s
    std::uint32_t bundle = 1;  ///< links of the fabric that were merged into it
};

/// The cluster's fabric, its links scaled; bundled where that was asked for and routing is even.
[[nodiscard]] Bundled built(const spec::ClusterSpec& cluster, Links links,
                            const Scaling& scaling = {});

/// A cluster as resources: per GPU its SMs (capacity: their number) and its HBM (peak bytes/s), one
/// per directed link (payload bytes/s), and the tiers of the nodes. Names are "node3/gpu5/sm".
class Machine
{
public:
    /// An event or outage of a thing that the cluster does not have is an InputError, and so is an
    /// outage that cuts NICs off.
    Machine(const spec::ClusterSpec& cluster, std::uint64_t seed, Links links = Links::apart,
            const Scaling& scaling = {});
    /// The same on a fabric that was built before.
    Machine(const spec::ClusterSpec& cluster, std::uint64_t seed,
            std::shared_ptr<const Bundled> built, const Scaling& scaling = {});
    /// Adds its resources to a new engine, where they have the same ids.
    Machine(const spec::ClusterSpec& cluster, engine::Engine& engine, std::uint64_t seed);

    [[nodiscard]] const spec::ClusterSpec& cluster() const { return cluster_; }
    [[nodiscard]] const fabric::Fabric& fabric() const { return fabric_; }
    [[nodiscard]] const fabric::Router& router() const { return router_; }
    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    /// How routes change while the job runs; empty when no outage lasts until routing knows.
    [[nodiscard]] const std::vector<fabric::RoutingEpoch>& epochs() const { return epochs_; }
    /// Whether flows choose their ways when they start, or are moved to others later.
    [[nodiscard]] bool routes_change() const
    {
        return !epochs_.empty() || spec::depends_on_load(cluster_.fabric.routing);
    }

    /// Where a rank runs: as the cluster's placement says.
    [[nodiscard]] GpuId gpu_of(RankId rank) const { return placement_[rank.index()]; }
    /// Ranks that have a place.
    [[nodiscard]] std::size_t places() const { return placement_.size(); }

    [[nodiscard]] ResourceId sm(GpuId gpu) const { return sm_[gpu.index()]; }
    [[nodiscard]] ResourceId hbm(GpuId gpu) const { return hbm_[gpu.index()]; }
    [[nodiscard]] ResourceId link(LinkId link) const { return link_[link.index()]; }

    [[nodiscard]] const HostTiers& tiers() const { return tiers_; }

    [[nodiscard]] const std::vector<MachineResource>& resources() const { return resources_; }
    [[nodiscard]] std::string name(ResourceId resource) const;
    /// How its capacity changes; empty for most.
    [[nodiscard]] const std::vector<engine::CapacityChange>& schedule(ResourceId resource) const;

private:
    ResourceId add(ResourceKind kind, double capacity, std::uint32_t bundle = 1);
    void schedule_events();
    void schedule_outages();

    const spec::ClusterSpec& cluster_;
    Scaling scaling_;
    std::shared_ptr<const Bundled> bundled_;
    const fabric::Fabric& fabric_;
    fabric::Router router_;
    std::uint64_t seed_;
    std::vector<GpuId> placement_;  ///< by rank
    std::vector<fabric::RoutingEpoch> epochs_;
    std::vector<ResourceId> sm_;
    std::vector<ResourceId> hbm_;
    std::vector<ResourceId> link_;
    HostTiers tiers_;
    std::vector<MachineResource> resources_;
    std::map<ResourceId, std::vector<engine::CapacityChange>> schedules_;
};

}  // namespace sim::replay
