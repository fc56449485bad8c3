#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "engine/engine.hpp"
#include "replay/audit.hpp"
#include "replay/machine.hpp"
#include "spec/cluster.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// One capacity of the engine. It is one of `members` resources of the machine that are loaded
/// alike at every instant.
struct Supply {
    ResourceId representative;  ///< of the machine
    ResourceKind kind = ResourceKind::sm;
    double capacity = 0;        ///< units/s
    std::uint64_t bundle = 1;   ///< links of the fabric that share `capacity`
    std::uint64_t members = 1;  ///< of the machine, each with such a bundle
};

/// What a kernel of an instance runs on.
struct InstanceGpu {
    ResourceId sm;
    ResourceId hbm;
};

/// What is executed. An instance is a rank and a group a communicator; in a folded job each stands
/// for a class of them (sim/replay/folding.md). `graph` is written in instances and groups, `job`
/// in ranks and communicators.
struct Instances {
    const spec::ClusterSpec& cluster;
    const workload::TaskGraph& job;
    const workload::TaskGraph& graph;
    std::vector<InstanceGpu> gpus{};                ///< by instance
    std::vector<Supply> supplies{};                 ///< by ResourceId
    std::vector<std::uint32_t> instance_of_rank{};  ///< classes in the order of their first rank
    std::vector<std::uint32_t> supply_of{};         ///< by resource of the machine; empty: the same
    std::vector<CommunicatorId> communicators{};    ///< by group: the one that was looked at

    [[nodiscard]] bool folded() const { return &job != &graph; }
};

/// Every rank an instance, every communicator a group, every resource of the machine a supply.
[[nodiscard]] Instances every_rank(const Machine& machine, const workload::TaskGraph& job);

/// Ranks of each instance.
[[nodiscard]] std::vector<std::uint64_t> multiplicities(const Instances& instances);

/// The rank of the group's communicator that the instance stands for, or the first of them.
[[nodiscard]] RankId rank_in(const Instances& instances, CommunicatorId group, RankId instance);

/// Of the representative, and how many others it stands for.
[[nodiscard]] std::string supply_name(const Machine& machine, const Supply& supply);

/// What the audit must know of the supplies. The machine must outlive it.
[[nodiscard]] Audited audited(const Machine& machine, const Instances& instances);

/// Gives the supplies to a new engine.
void add_to(engine::Engine& engine, const Machine& machine, const Instances& instances);

}  // namespace sim::replay
