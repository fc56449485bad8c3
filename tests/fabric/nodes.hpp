#pragma once

#include <string>

#include "fabric/networks.hpp"

namespace sim::test
{

/// Two nodes of a kind on one switch: 400 GB/s of NVLink a GPU, hop 1 us.
inline spec::ClusterSpec pair_of(const spec::ScaleUp& kind, int gpus)
{
    auto cluster = bare_cluster(2, gpus);
    cluster.node.scale_up = kind;
    cluster.fabric.network = spec::SingleSwitchSpec{ample_switch()};
    return cluster;
}

/// Most that GPU `from` can send to `to` alone: the narrowest of its hops over their shares.
inline double rate(const spec::ClusterSpec& cluster, std::size_t from, std::size_t to)
{
    const auto fabric = fabric::build(cluster);
    const fabric::Router router{fabric, cluster.fabric, 1};
    double least = 1e18;
    for (const auto& hop : router.route(GpuId{from}, GpuId{to}, 0).hops) {
        const auto& link = fabric.graph.links()[hop.link.index()];
        least = std::min(least, link.bandwidth.base() / hop.fraction);
    }
    return least;
}

inline std::string words(const spec::ClusterSpec& cluster, std::size_t from, std::size_t to)
{
    const auto fabric = fabric::build(cluster);
    const fabric::Router router{fabric, cluster.fabric, 1};
    std::string text;
    for (const auto& hop : router.route(GpuId{from}, GpuId{to}, 0).hops) {
        const auto& link = fabric.graph.links()[hop.link.index()];
        text += (text.empty() ? "" : " ") + link.name;
    }
    return text;
}

}  // namespace sim::test
