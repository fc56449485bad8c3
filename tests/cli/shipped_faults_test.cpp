#include <gtest/gtest.h>

#include "cli/comm_bench.hpp"
#include "config/load.hpp"
#include "core/literals.hpp"

namespace sim::cli
{
namespace
{

using namespace literals;
using collective::Kind;

spec::ClusterSpec sample(const std::string& name)
{
    return config::load_cluster(WEFTSIM_SOURCE_DIR "/topologies/" + name + ".yaml", {});
}

/// From the first GPU of a node to the first of another.
Time transfer(const spec::ClusterSpec& cluster, std::size_t from, std::size_t to)
{
    CommBench bench{cluster};
    const std::vector<GpuId> members{GpuId{8 * from}, GpuId{8 * to}};
    return bench.measure({.kind = Kind::send_recv, .size = 1_GiB, .members = members}).time;
}

TEST(ShippedFaults, ASpineThatDiesStopsAFlowUntilRoutingKnows)
{
    // 1 GiB at 48 GB/s takes 22 ms. The spine dies at 5 ms, routing knows at 15 ms: 10 ms in which
    // the flow, spread over both spines, stands still; then the other spine's 32 cables carry it at
    // the NIC's rate. That the spine is back at 60 ms does not matter.
    const auto cluster = sample("hgx-h100-outage");
    auto whole = cluster;
    whole.outages.clear();
    EXPECT_NEAR((transfer(cluster, 0, 31) - transfer(whole, 0, 31)).base(), 10e-3, 1e-9);
    // Under one leaf nothing is felt.
    EXPECT_EQ(transfer(cluster, 0, 1), transfer(whole, 0, 1));
}

TEST(ShippedFaults, EveryMeasurementBeginsBeforeTheOutage)
{
    const auto cluster = sample("hgx-h100-outage");
    CommBench bench{cluster};
    const std::vector<GpuId> members{GpuId{0}, GpuId{248}};
    const collective::Request request{.kind = Kind::send_recv, .size = 1_GiB, .members = members};
    const auto first = bench.measure(request).time;
    EXPECT_EQ(bench.measure(request).time, first);
}

TEST(ShippedFaults, OneCableAtHalfItsSpeedHalvesTheRingThroughIt)
{
    // Eight rings of an eighth each; the one through the cable takes twice as long, and the
    // all-reduce ends with it. Latency (254 steps) is below a thousandth of 8 GB / 8 / 48 GB/s x 2.
    const auto cluster = sample("hgx-h100-degraded");
    auto whole = cluster;
    whole.events.clear();
    const auto time = [](const spec::ClusterSpec& machine) {
        CommBench bench{machine};
        const auto members = bench.first(bench.ranks());
        return bench
            .measure({.kind = Kind::all_reduce,
                      .size = 64_GiB,
                      .members = members,
                      .algorithm = collective::Algorithm::ring})
            .time;
    };
    EXPECT_NEAR(time(cluster) / time(whole), 2, 0.01);
}

}  // namespace
}  // namespace sim::cli
