// Every algorithm, whatever it says it does, executed symbolically on its planned schedule: all
// that must come together does, each contribution once.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "collective/contributions.hpp"
#include "collective/every_algorithm.hpp"
#include "collective/exchange.hpp"
#include "collective/holdings.hpp"
#include "collective/tree.hpp"

namespace sim::collective
{
namespace
{

using namespace literals;
using test::AlgorithmAndKind;

constexpr double kSize = 864e6;

/// Bytes by sender and receiver.
using Sent = std::map<std::pair<std::size_t, std::size_t>, double>;

Schedule plan(const test::Machine& machine, const test::Scene& scene, const AlgorithmAndKind& one)
{
    return machine.planner().plan({.kind = one.kind,
                                   .size = 864_MB,
                                   .members = scene.members,
                                   .algorithm = one.algorithm,
                                   .hops = true});
}

/// From where to where the flows of a phase carry how much; a flow is a member that sends to
/// several.
Sent sent_in(const Phase& phase, const std::vector<GpuId>& members)
{
    const auto position = [&](GpuId gpu) {
        return static_cast<std::size_t>(std::find(members.begin(), members.end(), gpu) -
                                        members.begin());
    };
    Sent sent;
    for (const auto& flow : phase.flows) {
        for (const auto& hop : flow.hops) {
            // A receiver's memory carries three bytes a byte: to staging, from it, to its place.
            const double part = hop.memories.back().consumption / 3;
            EXPECT_EQ(hop.memories.back().gpu, hop.to);
            sent[{position(hop.from), position(hop.to)}] += flow.amount * part;
        }
    }
    return sent;
}

void expect_equal(const Sent& found, const Sent& expected)
{
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [pair, bytes] : expected) {
        ASSERT_TRUE(found.contains(pair)) << pair.first << " to " << pair.second;
        EXPECT_NEAR(found.at(pair), bytes, 1e-6 * bytes) << pair.first << " to " << pair.second;
    }
}

/// Steps that leave every contribution once, and phases that carry what they send.
void expect_exchanged(const Schedule& schedule, const test::Scene& scene,
                      const AlgorithmAndKind& one)
{
    const auto members = static_cast<std::uint32_t>(scene.members.size());
    const auto steps = exchange_steps(one.kind, one.algorithm, members);
    const bool gathers = one.kind == Kind::all_gather;
    auto buffers = gathers ? test::own_chunks(members) : test::own_contributions(members, members);
    test::execute(steps, buffers);
    for (std::uint32_t member = 0; member < members; ++member) {
        for (std::uint32_t chunk = 0; chunk < members; ++chunk) {
            test::Chunk own(members, 0);
            own[chunk] = 1;
            if (one.kind != Kind::reduce_scatter || chunk == member) {
                EXPECT_EQ(buffers[member][chunk], gathers ? own : test::Chunk(members, 1));
            }
        }
    }
    std::vector<Sent> expected(schedule.phases.size());
    for (const auto& step : steps) {
        expected.at(step.step)[{step.from, step.to}] += kSize / members;
    }
    for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase) {
        expect_equal(sent_in(schedule.phases[phase], scene.members), expected[phase]);
    }
}

/// Every pair's bytes, directly or by the member of the own node on the receiver's rail.
void expect_delivered(const Schedule& schedule, const std::vector<GpuId>& members,
                      const std::vector<double>& parts)
{
    const auto n = members.size();
    const auto position_of = [&](std::size_t gpu) {
        return static_cast<std::size_t>(std::find(members.begin(), members.end(), GpuId{gpu}) -
                                        members.begin());
    };
    const bool by_rail = schedule.phases.size() == 2;
    std::vector<Sent> expected(schedule.phases.size());
    for (std::size_t from = 0; from < n; ++from) {
        for (std::size_t to = 0; to < n; ++to) {
            const double bytes = parts[from * n + to];
            if (from == to || !(bytes > 0)) {
                continue;
            }
            const auto node = members[from].index() / 8;
            const auto over = by_rail ? position_of(node * 8 + members[to].index() % 8) : from;
            if (over != from) {
                expected.front()[{from, over}] += bytes;
            }
            if (over != to) {
                expected.back()[{over, to}] += bytes;
            }
        }
    }
    for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase) {
        expect_equal(sent_in(schedule.phases[phase], members), expected[phase]);
    }
}

std::vector<double> equal_parts(std::size_t members)
{
    return std::vector<double>(members * members, kSize / static_cast<double>(members));
}

/// What members hold while switches add and copy for them, and how often a buffer's worth of bytes
/// crossed each member's links.
class Switches
{
public:
    Switches(std::size_t nodes, std::size_t each)
        : nodes_{nodes},
          each_{each},
          chunk_{0.5 / static_cast<double>(each)},
          buffers_{test::own_contributions(static_cast<std::uint32_t>(nodes * each),
                                           static_cast<std::uint32_t>(2 * each))},
          out_(nodes * each, 0),
          in_(out_),
          nic_out_(out_),
          nic_in_(out_)
    {
    }

    /// The switch of every node adds up each member's two chunks and gives them to it.
    void add_in_nodes()
    {
        for_each_chunk([&](std::size_t node, std::size_t owner, std::size_t chunk) {
            test::Chunk sum(nodes_ * each_, 0);
            for (std::size_t i = 0; i < each_; ++i) {
                add(sum, buffers_[node * each_ + i][chunk]);
                out_[node * each_ + i] += chunk_;
            }
            buffers_[owner][chunk] = sum;
            in_[owner] += chunk_;
        });
    }

    /// And copies what each stores to all.
    void copy_in_nodes()
    {
        for_each_chunk([&](std::size_t node, std::size_t owner, std::size_t chunk) {
            out_[owner] += chunk_;
            for (std::size_t i = 0; i < each_; ++i) {
                buffers_[node * each_ + i][chunk] = buffers_[owner][chunk];
                in_[node * each_ + i] += chunk_;
            }
        });
    }

    /// Rings in the nodes, over pairs of chunks.
    void ring_in_nodes(Kind kind)
    {
        std::vector<Step> steps;
        for (const auto& step : ring_steps(kind, static_cast<std::uint32_t>(each_))) {
            for (std::uint32_t node = 0; node < nodes_; ++node) {
                const auto first = node * static_cast<std::uint32_t>(each_);
                for (const auto half : {0U, 1U}) {
                    steps.push_back({step.step, first + step.from, first + step.to,
                                     2 * step.chunk + half, step.reduce});
                    out_[first + step.from] += chunk_;
                    in_[first + step.to] += chunk_;
                }
            }
        }
        test::execute(steps, buffers_);
    }

    /// Each member's two chunks up and down the two trees of its rail.
    void trees_over_rails()
    {
        std::vector<Step> steps;
        for (const auto& step : double_tree_steps(static_cast<std::uint32_t>(nodes_))) {
            for (std::uint32_t rail = 0; rail < each_; ++rail) {
                const auto from = step.from * static_cast<std::uint32_t>(each_) + rail;
                const auto to = step.to * static_cast<std::uint32_t>(each_) + rail;
                steps.push_back({step.step, from, to, 2 * rail + step.chunk, step.reduce});
                nic_out_[from] += chunk_;
                nic_in_[to] += chunk_;
            }
        }
        test::execute(steps, buffers_);
    }

    /// The switches of the network add each rail's chunks up and give the sum to all of the rail.
    void add_over_rails()
    {
        for (std::size_t chunk = 0; chunk < 2 * each_; ++chunk) {
            test::Chunk sum(nodes_ * each_, 0);
            for (std::size_t node = 0; node < nodes_; ++node) {
                add(sum, buffers_[node * each_ + chunk / 2][chunk]);
            }
            for (std::size_t node = 0; node < nodes_; ++node) {
                const auto owner = node * each_ + chunk / 2;
                buffers_[owner][chunk] = sum;
                nic_out_[owner] += chunk_;
                nic_in_[owner] += chunk_;
            }
        }
    }

    void expect_whole() const
    {
        for (const auto& buffer : buffers_) {
            for (const auto& chunk : buffer) {
                EXPECT_EQ(chunk, test::Chunk(nodes_ * each_, 1));
            }
        }
    }

    /// The plan's links carry as much, at these efficiencies.
    void expect_crossed(const Schedule& schedule, const test::Machine& machine, double nvlink,
                        double nic) const
    {
        ASSERT_EQ(schedule.phases.size(), 1U);
        const auto bytes = machine.bytes_by_link(schedule.phases.front());
        const auto& fabric = machine.fabric();
        for (std::size_t id = 0; id < bytes.size(); ++id) {
            const auto& link = machine.link(LinkId{id});
            for (std::size_t gpu = 0; gpu < out_.size(); ++gpu) {
                const auto expect = [&](VertexId end, const char* what, double times) {
                    EXPECT_NEAR(bytes[id], kSize * times, 1e-3) << what << " " << end.index();
                };
                if (link.kind == fabric::LinkKind::nvlink && link.from == fabric.gpus[gpu]) {
                    expect(link.from, "out of GPU", out_[gpu] / nvlink);
                } else if (link.kind == fabric::LinkKind::nvlink && link.to == fabric.gpus[gpu]) {
                    expect(link.to, "into GPU", in_[gpu] / nvlink);
                } else if (link.kind == fabric::LinkKind::nic && link.from == fabric.nics[gpu]) {
                    expect(link.from, "out of NIC", nic_out_[gpu] / nic);
                } else if (link.kind == fabric::LinkKind::nic && link.to == fabric.nics[gpu]) {
                    expect(link.to, "into NIC", nic_in_[gpu] / nic);
                }
            }
        }
    }

private:
    /// Member i of a node is for chunks 2 i and 2 i + 1.
    template <class Do>
    void for_each_chunk(Do each)
    {
        for (std::size_t node = 0; node < nodes_; ++node) {
            for (std::size_t chunk = 0; chunk < 2 * each_; ++chunk) {
                each(node, node * each_ + chunk / 2, chunk);
            }
        }
    }

    static void add(test::Chunk& sum, const test::Chunk& other)
    {
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] += other[i];
        }
    }

    std::size_t nodes_;
    std::size_t each_;
    double chunk_;  ///< of the buffer
    test::Buffers buffers_;
    std::vector<double> out_;
    std::vector<double> in_;
    std::vector<double> nic_out_;
    std::vector<double> nic_in_;
};

/// What the switches do for it, and that the plan's links carry it: out of and into every member
/// (g + 1) / g with NVLS, 2 (g - 1) / g in a node with SHARP.
void expect_reduced_by_switches(const Schedule& schedule, const test::Machine& machine,
                                Algorithm algorithm)
{
    const auto nodes = machine.fabric().nodes;
    Switches switches{nodes, 8};
    if (algorithm == Algorithm::sharp) {
        switches.ring_in_nodes(Kind::reduce_scatter);
        switches.add_over_rails();
        switches.ring_in_nodes(Kind::all_gather);
        switches.expect_whole();
        return switches.expect_crossed(schedule, machine, 1, 0.9);
    }
    switches.add_in_nodes();
    if (nodes > 1) {
        switches.trees_over_rails();
    }
    switches.copy_in_nodes();
    switches.expect_whole();
    switches.expect_crossed(schedule, machine, 0.8, 1);
}

void expect_by_hops(const Schedule& schedule, const test::Machine& machine,
                    const test::Scene& scene, const AlgorithmAndKind& one)
{
    // So many that every part of every level divides.
    test::Holdings holdings{scene.members, one.kind, scene.members.size() * 24};
    holdings.run(schedule, machine.fabric());
    holdings.expect_done();
}

class EveryAlgorithm : public testing::TestWithParam<AlgorithmAndKind>
{
};

TEST_P(EveryAlgorithm, BringsTogetherAllThatItMustAndNothingTwice)
{
    const auto one = GetParam();
    const auto scene = test::scene_of(one.algorithm);
    const test::Machine machine{scene.cluster};
    const auto schedule = plan(machine, scene, one);
    if (one.kind == Kind::all_to_all) {
        return expect_delivered(schedule, scene.members, equal_parts(scene.members.size()));
    }
    switch (one.algorithm) {
        case Algorithm::automatic:
            FAIL() << "is no algorithm";
        case Algorithm::nvls:
        case Algorithm::nvls_tree:
        case Algorithm::multimem:
        case Algorithm::sharp:
            return expect_reduced_by_switches(schedule, machine, one.algorithm);
        case Algorithm::direct:
        case Algorithm::halving_doubling:
        case Algorithm::bruck:
        case Algorithm::pat:
            return expect_exchanged(schedule, scene, one);
        case Algorithm::ring:
        case Algorithm::hierarchical:
        case Algorithm::hierarchical_tree:
        case Algorithm::hierarchical_3:
        case Algorithm::tree:
        case Algorithm::torus:
            return expect_by_hops(schedule, machine, scene, one);
    }
}

INSTANTIATE_TEST_SUITE_P(, EveryAlgorithm, testing::ValuesIn(test::everything_done()),
                         [](const auto& instance) {
                             return std::string{name(instance.param.algorithm)} + "_" +
                                    std::string{name(instance.param.kind)};
                         });

TEST(UnevenAllToAll, BringsEveryPartToItsReceiverToTheByte)
{
    const auto scene = test::scene_of(Algorithm::direct);
    const test::Machine machine{scene.cluster};
    const auto n = scene.members.size();
    std::vector<double> parts(n * n);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        // All different; every fifth nothing.
        parts[i] = i % 5 == 0 ? 0 : 1e6 * static_cast<double>(i + 1);
    }
    Request request{.kind = Kind::all_to_all, .size = 864_MB, .members = scene.members};
    request.parts = parts;
    request.hops = true;
    expect_delivered(machine.planner().plan(request), scene.members, parts);
}

}  // namespace
}  // namespace sim::collective
