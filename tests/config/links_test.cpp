#include "fixture.hpp"

namespace sim::config
{
namespace
{

class LinkKeys : public InFolder
{
protected:
    LinkKeys() { write_good(); }

    static spec::ClusterSpec read(const std::vector<Override>& overrides)
    {
        return load_experiment("run.yaml", overrides).spec.cluster;
    }

    static void expect_complaint(const std::vector<Override>& overrides, const std::string& words)
    {
        const auto text = complaint("run.yaml", overrides);
        EXPECT_NE(text.find(words), std::string::npos) << text;
    }
};

TEST_F(LinkKeys, ACableTakesItsLengthTimesTheTimeOfAMetre)
{
    const auto fabric = read({{"cluster.fabric.cable_latency", "null"},
                              {"cluster.fabric.cable_length",
                               "{per_metre: 5 ns, nic: 3 m, leaf_spine: 30m, default: 20 m}"}})
                            .fabric;
    EXPECT_DOUBLE_EQ(fabric.cable_times.nic.value().base(), 15e-9);
    EXPECT_DOUBLE_EQ(fabric.cable_times.leaf_spine.value().base(), 150e-9);
    EXPECT_FALSE(fabric.cable_times.spine_core);
    EXPECT_DOUBLE_EQ(fabric.cable_latency.base(), 100e-9);
}

TEST_F(LinkKeys, ALengthIsInMetres)
{
    for (const auto* wrong : {"30", "30 ft", "m", "-3 m", "3 mm"}) {
        expect_complaint(
            {{"cluster.fabric.cable_length", std::string{"{per_metre: 5 ns, nic: "} + wrong + "}"}},
            "is not a length");
    }
    expect_complaint({{"cluster.fabric.cable_length", "{nic: 3 m}"}},
                     "cable_length.per_metre: missing");
    expect_complaint({{"cluster.fabric.cable_length", "{per_metre: 5 ns, default: 3 m}"},
                      {"cluster.fabric.cable_latency", "50 ns"}},
                     "cable_latency: stands beside cable_length.default");
}

TEST_F(LinkKeys, EfficiencyFollowsFromProtocolAndPacketSize)
{
    const auto nic = read({{"cluster.nic.efficiency", "null"},
                           {"cluster.nic.protocol", "roce_v2"},
                           {"cluster.nic.mtu", "1024 B"}})
                         .node.nic;
    EXPECT_DOUBLE_EQ(nic.efficiency, 1024.0 / 1106);
    expect_complaint({{"cluster.nic.efficiency", "0.9"},
                      {"cluster.nic.protocol", "infiniband"},
                      {"cluster.nic.mtu", "4096 B"}},
                     "nic.protocol: stands beside efficiency");
    expect_complaint({{"cluster.nic.efficiency", "null"}, {"cluster.nic.protocol", "infiniband"}},
                     "nic.mtu: missing");
    expect_complaint({{"cluster.nic.efficiency", "null"},
                      {"cluster.nic.protocol", "infinband"},
                      {"cluster.nic.mtu", "4096 B"}},
                     "did you mean \"infiniband\"?");
}

TEST_F(LinkKeys, OutagesHaveAPartAndInstantsAndNeedAConvergence)
{
    const Override one{"cluster.outages",
                       "[{part: spine0, from: 2 s, until: 12 s}, {part: leaf0, from: 1 s}]"};
    const auto cluster = read({one, {"cluster.fabric.convergence", "1 s"}});
    ASSERT_EQ(cluster.outages.size(), 2U);
    EXPECT_EQ(cluster.outages[0].part, "spine0");
    EXPECT_EQ(cluster.outages[0].until, Time::of(12));
    EXPECT_FALSE(cluster.outages[1].until);
    EXPECT_EQ(cluster.fabric.convergence, Time::of(1));
    expect_complaint({one}, "cluster.fabric.convergence: missing: there are outages");
    expect_complaint({{"cluster.outages", "[{part: spine0, from: 2 s, until: 1 s}]"},
                      {"cluster.fabric.convergence", "1 s"}},
                     "cluster.outages.0.until: is 1 s, which is not after 2 s");
}

TEST_F(LinkKeys, RebalancingIsOfRoutingByLoad)
{
    EXPECT_EQ(read({{"cluster.fabric.routing", "adaptive"}, {"cluster.fabric.rebalance", "100 us"}})
                  .fabric.rebalance,
              Time::of(100e-6));
    expect_complaint({{"cluster.fabric.rebalance", "100 us"}},
                     "cluster.fabric.rebalance: is of routing by load alone");
}

}  // namespace
}  // namespace sim::config
