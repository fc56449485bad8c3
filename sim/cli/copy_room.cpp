#include "cli/copy_room.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sim::cli
{

namespace
{

/// Ranks on the node that has most of them, as they are placed in order.
std::int64_t on_fullest_node(const spec::ClusterSpec& cluster, const std::vector<RankId>& ranks)
{
    std::vector<std::int64_t> on(static_cast<std::size_t>(std::max(cluster.nodes, 1)), 0);
    for (const auto rank : ranks) {
        const auto node = rank.index() / static_cast<std::size_t>(cluster.node.gpus);
        ++on[std::min(node, on.size() - 1)];
    }
    return *std::max_element(on.begin(), on.end());
}

std::vector<memory::Tier> tiers_of(const spec::ClusterSpec& cluster, std::int64_t gpus)
{
    const auto& host = cluster.node.host;
    const auto times = [](Bytes each, std::int64_t count) { return each * count; };
    return {
        {"GPU memory of a node", times(cluster.node.gpu.memory, gpus)},
        {"host memory of a node", host.dram ? times(host.dram->capacity, host.sockets) : Bytes{}},
        {"a pool", host.pool ? host.pool->capacity : Bytes{}},
        {"the drives of a node",
         host.storage ? times(host.storage->drive.capacity, host.storage->count) : Bytes{}},
        {"the file system", host.files ? host.files->capacity : Bytes{}}};
}

}  // namespace

std::vector<memory::Shortage> copy_shortages(const spec::ClusterSpec& cluster,
                                             const std::vector<RankId>& ranks,
                                             const std::vector<workload::Copy>& copies)
{
    const auto gpus = on_fullest_node(cluster, ranks);
    memory::TierLedger ledger{tiers_of(cluster, gpus)};
    for (const auto& copy : copies) {
        for (const auto tier : {copy.from, copy.to}) {
            const bool shared = tier == spec::DataTier::pool || tier == spec::DataTier::files;
            const auto all = shared ? static_cast<std::int64_t>(ranks.size()) : gpus;
            ledger.hold({fmt::format("{} GPUs' copies from {} to {}", all,
                                     spec::tier_name(copy.from), spec::tier_name(copy.to)),
                         static_cast<std::size_t>(tier), copy.size * all, Time{}, Time::of(1)});
        }
    }
    auto found = ledger.shortages();
    const auto missing = [&](const memory::Shortage& shortage) { return shortage.has == Bytes{}; };
    found.erase(std::remove_if(found.begin(), found.end(), missing), found.end());
    return found;
}

}  // namespace sim::cli
