#include "replay/machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "fabric/placement.hpp"
#include "fabric/scaled.hpp"

namespace sim::replay
{

const char* name(ResourceKind kind)
{
    static constexpr std::array<const char*, kResourceKinds> kNames{
        "sm",     "hbm",    "nvlink", "pcie", "nic", "leaf_spine", "spine_core", "peer",
        "global", "socket", "c2c",    "dram", "cxl", "pool",       "drive",      "cores"};
    return kNames[static_cast<std::size_t>(kind)];
}

ResourceKind kind_of(fabric::LinkKind kind)
{
    switch (kind) {
        case fabric::LinkKind::nvlink:
            return ResourceKind::nvlink;
        case fabric::LinkKind::pcie:
            return ResourceKind::pcie;
        case fabric::LinkKind::nic:
            return ResourceKind::nic;
        case fabric::LinkKind::leaf_spine:
            return ResourceKind::leaf_spine;
        case fabric::LinkKind::spine_core:
            return ResourceKind::spine_core;
        case fabric::LinkKind::peer:
            return ResourceKind::peer;
        case fabric::LinkKind::global:
            return ResourceKind::global;
        case fabric::LinkKind::socket:
            return ResourceKind::socket;
        case fabric::LinkKind::c2c:
            return ResourceKind::c2c;
    }
    return ResourceKind::nic;
}

namespace
{

Diagnostic unknown_resource(std::size_t event, const std::string& resource,
                            const std::vector<std::string>& names)
{
    const auto near = closest(resource, names);
    Diagnostic diagnostic;
    diagnostic.key = fmt::format("cluster.events.{}.resource", event);
    diagnostic.message = fmt::format("the cluster has no \"{}\"", resource);
    diagnostic.hint = near.empty()
                          ? fmt::format(
                                "write a GPU's memory or SMs (\"{}\", \"{}\") or a link such "
                                "as \"{}\"",
                                names[1], names[0], names.back())
                          : fmt::format("did you mean \"{}\"?", near);
    return diagnostic;
}

fabric::Fabric build(const spec::ClusterSpec& cluster, const Scaling& scaling)
{
    auto fabric = fabric::build(cluster);
    if (!scaling.changes_links()) {
        return fabric;
    }
    return fabric::scaled(std::move(fabric), [&](fabric::LinkKind kind) {
        return fabric::LinkFactors{scaling.of(kind_of(kind)), scaling.latency};
    });
}

}  // namespace

Bundled built(const spec::ClusterSpec& cluster, Links links, const Scaling& scaling)
{
    return links == Links::bundled && cluster.fabric.routing == spec::Routing::even
               ? bundle(build(cluster, scaling))
               : Bundled{build(cluster, scaling), {}};
}

Machine::Machine(const spec::ClusterSpec& cluster, std::uint64_t seed, Links links,
                 const Scaling& scaling)
    : Machine{cluster, seed, std::make_shared<const Bundled>(built(cluster, links, scaling)),
              scaling}
{
}

Machine::Machine(const spec::ClusterSpec& cluster, std::uint64_t seed,
                 std::shared_ptr<const Bundled> built, const Scaling& scaling)
    : cluster_{cluster},
      scaling_{scaling},
      bundled_{std::move(built)},
      fabric_{bundled_->fabric},
      router_{fabric_, cluster.fabric, seed},
      seed_{seed},
      placement_{fabric::place(fabric_, cluster.placement, seed)}
{
    const auto& gpu = cluster.node.gpu;
    for (std::size_t i = 0; i < fabric_.gpus.size(); ++i) {
        sm_.push_back(add(ResourceKind::sm, static_cast<double>(gpu.sms)));
        hbm_.push_back(add(ResourceKind::hbm, gpu.memory_bandwidth.base()));
    }
    for (const auto& link : fabric_.graph.links()) {
        const auto merged = bundled_->members.empty() ? 1 : bundled_->members[link_.size()];
        link_.push_back(add(kind_of(link.kind), link.bandwidth.base(), merged));
    }
    tiers_ = HostTiers{cluster, fabric_, resources_.size()};
    for (const auto& resource : tiers_.resources()) {
        add(resource.kind, resource.capacity * scaling.of(resource.kind));
    }
    schedule_events();
    schedule_outages();
}

Machine::Machine(const spec::ClusterSpec& cluster, engine::Engine& engine, std::uint64_t seed)
    : Machine{cluster, seed}
{
    for (const auto& resource : resources_) {
        const auto id =
            engine.add_resource({name(resource.id), resource.capacity, schedule(resource.id)});
        SIM_EXPECT(id == resource.id);
    }
}

ResourceId Machine::add(ResourceKind kind, double capacity, std::uint32_t bundle)
{
    const ResourceId id{resources_.size()};
    resources_.push_back({id, kind, capacity, bundle});
    return id;
}

const std::vector<engine::CapacityChange>& Machine::schedule(ResourceId resource) const
{
    static const std::vector<engine::CapacityChange> kConstant;
    const auto found = schedules_.find(resource);
    return found == schedules_.end() ? kConstant : found->second;
}

void Machine::schedule_events()
{
    if (cluster_.events.empty()) {
        return;
    }
    std::vector<std::string> names;
    std::map<std::string, ResourceId> by_name;
    for (const auto& resource : resources_) {
        names.push_back(name(resource.id));
        by_name.emplace(names.back(), resource.id);
    }
    Diagnostics unknown;
    for (std::size_t i = 0; i < cluster_.events.size(); ++i) {
        const auto& event = cluster_.events[i];
        const auto found = by_name.find(event.resource);
        if (found == by_name.end()) {
            unknown.push_back(unknown_resource(i, event.resource, names));
            continue;
        }
        const auto whole = resources_[found->second.index()].capacity;
        schedules_[found->second].push_back({event.at, event.capacity * whole});
    }
    if (!unknown.empty()) {
        throw InputError{unknown};
    }
    for (auto& [resource, changes] : schedules_) {
        std::stable_sort(changes.begin(), changes.end(),
                         [](const auto& a, const auto& b) { return a.at < b.at; });
    }
}

/// An event and an outage of one link are refused: which of them is last is not for us to say.
void Machine::schedule_outages()
{
    const auto times = fabric::dead_times(fabric_, cluster_.outages);
    Diagnostics both;
    std::set<ResourceId> with_event;
    for (const auto& [resource, changes] : schedules_) {
        with_event.insert(resource);
    }
    for (const auto& time : times) {
        const auto resource = link(time.link);
        if (with_event.erase(resource) > 0) {
            Diagnostic diagnostic;
            diagnostic.key = "cluster.outages";
            diagnostic.message =
                fmt::format("take away \"{}\", of which an event speaks too", name(resource));
            diagnostic.hint = "say it in one of the two lists";
            both.push_back(diagnostic);
        }
        auto& changes = schedules_[resource];
        changes.push_back({time.from, 0});
        if (time.until) {
            changes.push_back({*time.until, resources_[resource.index()].capacity});
        }
    }
    if (!both.empty()) {
        throw InputError{both};
    }
    epochs_ = fabric::routing_epochs(fabric_, times, cluster_.fabric.convergence.value_or(Time{}));
    fabric::expect_connected(fabric_, epochs_);
}

std::string Machine::name(ResourceId resource) const
{
    // Two for each GPU, then the links, then the tiers.
    const auto index = resource.index();
    const auto of_gpus = 2 * fabric_.gpus.size();
    const auto without_tiers = of_gpus + link_.size();
    if (index >= without_tiers) {
        return tiers_.resources()[index - without_tiers].name;
    }
    if (index >= of_gpus) {
        return fabric_.graph.links()[index - of_gpus].name;
    }
    const auto gpu = fabric_.gpus[index / 2];
    return fabric_.graph.vertices()[gpu.index()].name + (index % 2 == 0 ? "/sm" : "/hbm");
}

}  // namespace sim::replay
