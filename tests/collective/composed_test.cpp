#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "collective/machine.hpp"
#include "core/literals.hpp"

namespace sim::collective
{
namespace
{

using namespace literals;

/// Which chunks a member is responsible for, and whose contributions each of its chunks holds.
struct Member {
    std::set<std::size_t> owns;
    std::map<std::size_t, std::set<GpuId>> holds;
};

/// Runs the rings of planned phases on sets of contributions. A ring that reduces wants all of its
/// members responsible for the same chunks; one that gathers, for none twice.
class Rings
{
public:
    Rings(const std::vector<GpuId>& members, std::size_t chunks)
    {
        for (const auto gpu : members) {
            for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
                state_[gpu].owns.insert(chunk);
                state_[gpu].holds[chunk] = {gpu};
            }
        }
    }

    /// Only these chunks of the buffer take part until the next call.
    void restrict_to(std::set<std::size_t> chunks) { part_ = std::move(chunks); }

    void reduce_scatter(const Flow& flow)
    {
        const auto ring = ring_of(flow);
        const auto shared = owned(ring.front());
        ASSERT_EQ(shared.size() % ring.size(), 0U);
        const auto each = shared.size() / ring.size();
        for (std::size_t i = 0; i < ring.size(); ++i) {
            ASSERT_EQ(owned(ring[i]), shared);
        }
        std::size_t position = 0;
        for (const auto chunk : shared) {
            std::set<GpuId> sum;
            for (const auto gpu : ring) {
                sum.insert(state_[gpu].holds[chunk].begin(), state_[gpu].holds[chunk].end());
            }
            const auto owner = ring[position++ / each];
            for (const auto gpu : ring) {
                state_[gpu].owns.erase(chunk);
            }
            state_[owner].owns.insert(chunk);
            state_[owner].holds[chunk] = sum;
        }
    }

    void all_gather(const Flow& flow)
    {
        const auto ring = ring_of(flow);
        std::map<std::size_t, std::set<GpuId>> all;
        for (const auto gpu : ring) {
            for (const auto chunk : owned(gpu)) {
                ASSERT_TRUE(all.emplace(chunk, state_[gpu].holds[chunk]).second);
            }
        }
        for (const auto gpu : ring) {
            for (const auto& [chunk, sum] : all) {
                state_[gpu].owns.insert(chunk);
                state_[gpu].holds[chunk] = sum;
            }
        }
    }

    void all_reduce(const Flow& flow)
    {
        reduce_scatter(flow);
        all_gather(flow);
    }

    [[nodiscard]] bool all_hold_everything() const
    {
        std::set<GpuId> everyone;
        for (const auto& [gpu, member] : state_) {
            everyone.insert(gpu);
        }
        return std::all_of(state_.begin(), state_.end(), [&](const auto& entry) {
            const auto& holds = entry.second.holds;
            return std::all_of(holds.begin(), holds.end(),
                               [&](const auto& chunk) { return chunk.second == everyone; });
        });
    }

private:
    static std::vector<GpuId> ring_of(const Flow& flow)
    {
        std::vector<GpuId> ring;
        for (const auto& hop : flow.hops) {
            ring.push_back(hop.from);
        }
        return ring;
    }

    std::set<std::size_t> owned(GpuId gpu)
    {
        std::set<std::size_t> common;
        const auto& owns = state_[gpu].owns;
        std::set_intersection(owns.begin(), owns.end(), part_.begin(), part_.end(),
                              std::inserter(common, common.end()));
        return part_.empty() ? owns : common;
    }

    std::map<GpuId, Member> state_;
    std::set<std::size_t> part_;
};

Schedule plan(const test::Machine& machine, Kind kind, Bytes size,
              const std::vector<GpuId>& members, Algorithm algorithm)
{
    return machine.planner().plan(
        {.kind = kind, .size = size, .members = members, .algorithm = algorithm, .hops = true});
}

TEST(Hierarchical, ReducesEveryChunkOfEveryMemberByItsThreePhases)
{
    const test::Machine machine{test::round_cluster(4)};
    const auto members = test::every(4, 0, 8);
    const auto schedule = plan(machine, Kind::all_reduce, 1_GB, members, Algorithm::hierarchical);
    ASSERT_EQ(schedule.phases.size(), 3U);
    Rings rings{members, 32};
    for (const auto& flow : schedule.phases[0].flows) {
        rings.reduce_scatter(flow);
    }
    for (const auto& flow : schedule.phases[1].flows) {
        rings.all_reduce(flow);
    }
    for (const auto& flow : schedule.phases[2].flows) {
        rings.all_gather(flow);
    }
    EXPECT_TRUE(rings.all_hold_everything());
}

TEST(Hierarchical, OfThreeLevelsReducesEveryChunkByItsFivePhases)
{
    // Two nodes to a leaf, two leaves.
    const test::Machine machine{test::round_cluster(4)};
    const auto members = test::every(4, 0, 8);
    const auto schedule = plan(machine, Kind::all_reduce, 1_GB, members, Algorithm::hierarchical_3);
    ASSERT_EQ(schedule.phases.size(), 5U);
    Rings rings{members, 32};
    for (const auto& flow : schedule.phases[0].flows) {
        rings.reduce_scatter(flow);
    }
    for (const auto& flow : schedule.phases[1].flows) {
        rings.reduce_scatter(flow);
        const auto from = machine.fabric().node_of_gpu[flow.hops[0].from.index()].index();
        const auto to = machine.fabric().node_of_gpu[flow.hops[0].to.index()].index();
        EXPECT_EQ(from / 2, to / 2);
    }
    for (const auto& flow : schedule.phases[2].flows) {
        rings.all_reduce(flow);
    }
    for (const auto& flow : schedule.phases[3].flows) {
        rings.all_gather(flow);
    }
    for (const auto& flow : schedule.phases[4].flows) {
        rings.all_gather(flow);
    }
    EXPECT_TRUE(rings.all_hold_everything());
}

TEST(Hierarchical, SaysWhichLevelAGroupLacks)
{
    const auto why = [](const std::vector<GpuId>& members, Algorithm algorithm) {
        const test::Machine machine{test::round_cluster(4)};
        try {
            static_cast<void>(machine.plan(Kind::all_reduce, 1_MB, members, algorithm));
        } catch (const InputError& error) {
            return error.diagnostics().front().message;
        }
        return std::string{};
    };
    EXPECT_EQ(why(test::every(1, 0, 8), Algorithm::hierarchical),
              "hierarchical needs a group on several nodes");
    EXPECT_EQ(why(test::one_a_node(4, 0), Algorithm::hierarchical_tree),
              "hierarchical_tree needs two members or more on every node");
    EXPECT_EQ(why(test::every(2, 0, 8), Algorithm::hierarchical_3),
              "hierarchical_3 needs several leaves with several nodes each, not 1 with 2");
    EXPECT_EQ(why(test::every(3, 0, 8), Algorithm::hierarchical_3),
              "hierarchical_3 needs equally many nodes on every leaf, but one has 2 and one 1");
}

/// 4 x 2 switches with a node of eight GPUs each; the sides' cables are as fast as a NIC.
spec::ClusterSpec small_torus()
{
    auto cluster = test::round_cluster(8);
    auto& torus = cluster.fabric.network.emplace<spec::TorusSpec>();
    torus.sides = {4, 2};
    torus.device = {.name = "switch", .capacity = 51.2_Tbps, .max_ports = 128, .latency = 0.125_us};
    return cluster;
}

TEST(TorusRings, ReduceEveryChunkAlongEachSideInEitherOrder)
{
    const test::Machine machine{small_torus()};
    const auto members = test::every(8, 0, 8);
    const auto schedule = plan(machine, Kind::all_reduce, 1_GB, members, Algorithm::torus);
    // In the switch, along two sides, back along them, in the switch.
    ASSERT_EQ(schedule.phases.size(), 6U);
    // Halves of a member's eighth: the first goes along the side of 4 first, the second of 2.
    constexpr std::size_t kChunks = 8 * 2 * 8;
    Rings rings{members, kChunks};
    for (const auto& flow : schedule.phases[0].flows) {
        rings.reduce_scatter(flow);
    }
    std::set<std::size_t> half[2];
    for (std::size_t chunk = 0; chunk < kChunks; ++chunk) {
        half[chunk % 2].insert(chunk);
    }
    // Rings of the first half stand first: 2 x 8 along the side of 4, 4 x 8 along that of 2.
    const std::size_t of_first_half[] = {16, 32, 32, 16};
    for (std::size_t phase = 1; phase <= 4; ++phase) {
        const auto& flows = schedule.phases[phase].flows;
        for (std::size_t i = 0; i < flows.size(); ++i) {
            rings.restrict_to(half[i < of_first_half[phase - 1] ? 0 : 1]);
            phase <= 2 ? rings.reduce_scatter(flows[i]) : rings.all_gather(flows[i]);
        }
    }
    rings.restrict_to({});
    for (const auto& flow : schedule.phases[5].flows) {
        rings.all_gather(flow);
    }
    EXPECT_TRUE(rings.all_hold_everything());
}

TEST(TorusRings, KeepTheCablesOfBothSidesBusyAllTheTime)
{
    // One GPU a node, S = 800 MB in two halves. Along the side of 4, 3/4 of a half: 300 MB; along
    // that of 2, half of a quarter of the half, beside the other half's 200 and 3/4 of 200 MB. A
    // NIC of 50 GB/s carries both halves: 300 + 200, then 50 + 150 MB, and the same back.
    const test::Machine machine{small_torus()};
    const auto schedule =
        plan(machine, Kind::all_reduce, 800_MB, test::one_a_node(8, 0), Algorithm::torus);
    const double moved = 2 * (500e6 + 200e6) / 50e9;
    EXPECT_NEAR(schedule.lower_bound.base(), moved, 0.01 * moved);
}

TEST(TorusRings, SayWhyAGroupHasNoSides)
{
    const auto why = [](const spec::ClusterSpec& cluster, const std::vector<GpuId>& members) {
        const test::Machine machine{cluster};
        try {
            static_cast<void>(machine.plan(Kind::all_reduce, 1_MB, members, Algorithm::torus));
        } catch (const InputError& error) {
            return error.diagnostics().front().message;
        }
        return std::string{};
    };
    EXPECT_EQ(why(test::round_cluster(4), test::every(4, 0, 8)),
              "torus needs a torus, but the network is a leaf_spine");
    EXPECT_EQ(why(small_torus(), test::every(6, 0, 8)),
              "torus needs members on every node of the torus, but 2 of 8 have none");
}

TEST(AllToAll, OverRailsBringsEverythingToTheRightMember)
{
    // Hops of phase one carry what is for their receiver's rail; of phase two, for their receiver.
    const test::Machine machine{test::round_cluster(3)};
    const auto members = test::every(3, 0, 4);
    const auto schedule = plan(machine, Kind::all_to_all, 12_MB, members, Algorithm::hierarchical);
    ASSERT_EQ(schedule.phases.size(), 2U);
    std::map<GpuId, double> received;
    for (const auto& flow : schedule.phases[1].flows) {
        for (const auto& hop : flow.hops) {
            EXPECT_EQ(hop.from.index() % 8, hop.to.index() % 8);
            received[hop.to] += hop.memories.front().gpu == hop.from ? 1 : 0;
        }
    }
    EXPECT_EQ(received.size(), 12U);
    for (const auto& [gpu, senders] : received) {
        EXPECT_EQ(senders, 2);
    }
    // 3 nodes' chunks of 1 MB to each of 3 neighbours at 400 GB/s; 4 chunks to each of 2 nodes.
    EXPECT_NEAR(schedule.lower_bound.base(), 9e6 / 400e9 + 8e6 / 50e9, 0.05 * 1.8e-4);
}

TEST(AllToAll, UnevenPartsBindAtTheMemberThatSendsMost)
{
    // Three GPUs of a node: 0 sends 300 MB to 1 and 100 MB to 2, the others 10 MB to each.
    const test::Machine machine{test::round_cluster(1)};
    const std::vector<double> parts{0, 300e6, 100e6, 10e6, 0, 10e6, 10e6, 10e6, 0};
    const auto members = test::every(1, 0, 3);
    Request request{.kind = Kind::all_to_all, .size = 400_MB, .members = members};
    request.parts = parts;
    const auto schedule = machine.planner().plan(request);
    EXPECT_NEAR(schedule.lower_bound.base(), 1e-6 + 400e6 / 400e9, 1e-9);
}

TEST(AllToAll, OfAVeryLargeGroupSendsInStepNodeByNodeAndTakesAsLong)
{
    // 66 nodes of 8 are 528 members, more than are simulated each alone. 65/66 of S leave by its
    // NIC.
    const test::Machine machine{test::round_cluster(66)};
    const auto schedule = machine.plan(Kind::all_to_all, 1_GB, test::every(66, 0, 8));
    EXPECT_EQ(schedule.phases.front().flows.size(), 2 * 66U);
    const double moved = 1e9 * 65 / 66 / 50e9;
    EXPECT_NEAR(schedule.lower_bound.base(), moved, 0.01 * moved);
    double sent = 0;
    for (const auto& flow : schedule.phases.front().flows) {
        sent += flow.amount;
    }
    EXPECT_NEAR(sent, 528 * (1e9 * 527 / 528), 1);
}

TEST(AllToAll, AMemberThatSendsNothingMakesNoFlow)
{
    const test::Machine machine{test::round_cluster(1)};
    const std::vector<double> parts{0, 0, 400e6, 0};
    const auto members = test::every(1, 0, 2);
    Request request{.kind = Kind::all_to_all, .size = 400_MB, .members = members};
    request.parts = parts;
    const auto schedule = machine.planner().plan(request);
    EXPECT_EQ(schedule.phases.front().flows.size(), 1U);
}

}  // namespace
}  // namespace sim::collective
