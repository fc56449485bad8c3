#include "collective/rings.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "collective/machine.hpp"

namespace sim::collective
{
namespace
{

using test::every;
using test::Machine;

std::vector<std::vector<GpuId>> rings_of(const Machine& machine, const std::vector<GpuId>& members)
{
    return rings(machine.fabric(), group_by_node(members, machine.fabric().node_of_gpu));
}

std::vector<std::uint32_t> numbers(const std::vector<GpuId>& ring)
{
    std::vector<std::uint32_t> all;
    for (const auto gpu : ring) {
        all.push_back(gpu.index());
    }
    return all;
}

TEST(Rings, MembersAreGroupedByNodeInTheCommunicatorsOrder)
{
    const std::vector<GpuId> members{GpuId{9}, GpuId{2}, GpuId{8}, GpuId{1}};
    // GPUs 0 to 7 are on node 0, 8 to 15 on node 1.
    std::vector<NodeId> node_of_gpu(16, NodeId{0});
    std::fill(node_of_gpu.begin() + 8, node_of_gpu.end(), NodeId{1});
    const auto nodes = group_by_node(members, node_of_gpu);
    ASSERT_EQ(nodes.size(), 2U);
    EXPECT_EQ(nodes[0].node, NodeId{1});
    EXPECT_EQ(numbers(nodes[0].members), (std::vector<std::uint32_t>{9, 8}));
    EXPECT_EQ(numbers(nodes[1].members), (std::vector<std::uint32_t>{2, 1}));
}

TEST(Rings, TwoGpusOnANicAreTheWayInAndTheWayOut)
{
    const Machine machine{test::shared_nic_cluster(2)};
    const auto all = rings_of(machine, every(2, 0, 8));
    ASSERT_EQ(all.size(), 4U);
    // Ring 1 comes in at GPU 3 and leaves at GPU 2, both under NIC 1.
    EXPECT_EQ(numbers(all[1]), (std::vector<std::uint32_t>{3, 4, 5, 6, 7, 0, 1, 2,  //
                                                           11, 12, 13, 14, 15, 8, 9, 10}));
}

TEST(Rings, OneGpuANicAlternatesSoThatRailsMeet)
{
    const Machine machine{test::round_cluster(2)};
    const auto all = rings_of(machine, every(2, 0, 8));
    ASSERT_EQ(all.size(), 8U);
    // Ring 2 leaves node 0 by NIC 1 and enters node 1 there; it comes back by NIC 2 on both.
    EXPECT_EQ(numbers(all[2]), (std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 0, 1,  //
                                                           9, 8, 15, 14, 13, 12, 11, 10}));
}

TEST(Rings, AGroupOnOneNicANodeHasOneRing)
{
    const Machine machine{test::shared_nic_cluster(2)};
    const auto all = rings_of(machine, every(2, 4, 2));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(numbers(all[0]), (std::vector<std::uint32_t>{4, 5, 12, 13}));
}

RC_GTEST_PROP(Rings, NoTwoRingsLeaveOrEnterANodeByTheSameNic, ())
{
    auto cluster = test::round_cluster(2 * *rc::gen::inRange(1, 4));
    cluster.node.nic_of_gpu = *rc::gen::container<std::vector<int>>(8, rc::gen::inRange(0, 8));
    const Machine machine{cluster};
    const auto members = every(cluster.nodes, 0, *rc::gen::inRange(1, 9));
    const auto& fabric = machine.fabric();
    std::map<VertexId, int> out;
    std::map<VertexId, int> in;
    for (const auto& ring : rings_of(machine, members)) {
        auto sorted = ring;
        std::sort(sorted.begin(), sorted.end());
        RC_ASSERT(sorted == members);
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const auto from = ring[i].index();
            const auto to = ring[(i + 1) % ring.size()].index();
            if (from / 8 != to / 8) {
                RC_ASSERT(++out[fabric.nic_of_gpu[from]] == 1);
                RC_ASSERT(++in[fabric.nic_of_gpu[to]] == 1);
            }
        }
    }
}

}  // namespace
}  // namespace sim::collective
