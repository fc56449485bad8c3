#include "fixture.hpp"

namespace sim::config
{
namespace
{

using spec::PlacementSpec;
using spec::Routing;

class RoutingKey : public InFolder
{
protected:
    RoutingKey() { write_good(); }

    static spec::ClusterSpec read(const std::vector<Override>& overrides)
    {
        return load_experiment("run.yaml", overrides).spec.cluster;
    }
};

TEST_F(RoutingKey, SprayIsAnotherWordForEven)
{
    for (const auto* word : {"even", "spray"}) {
        EXPECT_EQ(read({{"cluster.fabric.routing", word}}).fabric.routing, Routing::even) << word;
    }
    EXPECT_EQ(read({{"cluster.fabric.routing", "up_down"}}).fabric.routing, Routing::up_down);
}

TEST_F(RoutingKey, ARoutingOfAnotherNetworkIsRefusedWithItsLine)
{
    EXPECT_NE(complaint("run.yaml", {{"cluster.fabric.routing", "dimension_order"}})
                  .find("cluster.fabric.routing: dimension_order needs a torus, and this is a "
                        "leaf_spine"),
              std::string::npos);
    for (const auto* word : {"minimal", "valiant", "ugal"}) {
        EXPECT_NE(complaint("run.yaml", {{"cluster.fabric.routing", word}})
                      .find(std::string{word} + " needs a dragonfly"),
                  std::string::npos);
    }
}

TEST_F(RoutingKey, QueuePairsHaveANumberAHashAndARate)
{
    const auto fabric = read({{"cluster.fabric.connections", "2"},
                              {"cluster.fabric.queue_pairs.per_connection", "4"},
                              {"cluster.fabric.queue_pairs.hashed_by", "connection"},
                              {"cluster.fabric.queue_pairs.rate", "100 Gbps"}})
                            .fabric;
    EXPECT_EQ(spec::queue_pairs(fabric), 8);
    EXPECT_EQ(fabric.queue_pairs.hashed_by, spec::HashedBy::connection);
    EXPECT_EQ(fabric.queue_pairs.rate.value().base(), 12.5e9);
    EXPECT_NE(complaint("run.yaml", {{"cluster.fabric.queue_pairs.per_connection", "0"}})
                  .find("queue_pairs.per_connection: is 0"),
              std::string::npos);
    EXPECT_NE(complaint("run.yaml", {{"cluster.fabric.queue_pairs.rate", "0 Gbps"}})
                  .find("queue_pairs.rate: is 0"),
              std::string::npos);
}

TEST_F(RoutingKey, PlacementIsAWordOrAMapping)
{
    EXPECT_EQ(read({}).placement.order, PlacementSpec::Order::packed);
    EXPECT_EQ(read({{"cluster.placement", "random"}}).placement.order,
              PlacementSpec::Order::random);
    const auto by_rank = read({{"cluster.placement", "{order: round_robin, unit: rank}"}});
    EXPECT_EQ(by_rank.placement.order, PlacementSpec::Order::round_robin);
    EXPECT_EQ(by_rank.placement.unit, PlacementSpec::Unit::rank);
}

TEST_F(RoutingKey, HostsAreListedAsSlurmDoes)
{
    const auto listed = read({{"cluster.placement", "{hosts: 'node[1,0]'}"}}).placement;
    EXPECT_EQ(listed.order, PlacementSpec::Order::listed);
    EXPECT_EQ(listed.hosts, (std::vector<int>{1, 0}));
    write("hosts.txt", "# the job's nodes\nnode1\r\n\n  node0  # last\n");
    EXPECT_EQ(read({{"cluster.placement", "{hosts_file: hosts.txt}"}}).placement.hosts,
              listed.hosts);
}

TEST_F(RoutingKey, AHostThatIsNotThereOrTwiceIsNamedWithItsLine)
{
    write("hosts.txt", "node0\nnode[0-1]\nnode99\nnode[\n");
    const auto text = complaint("run.yaml", {{"cluster.placement", "{hosts_file: hosts.txt}"}});
    EXPECT_NE(text.find("hosts.txt:2:1: error: cluster.placement.hosts_file: \"node0\" is listed "
                        "twice"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("hosts.txt:3:1: error: cluster.placement.hosts_file: the cluster has no "
                        "node \"node99\""),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("hosts.txt:4:1: error: cluster.placement.hosts_file: \"node[\" is not a "
                        "list of hosts"),
              std::string::npos)
        << text;
    EXPECT_NE(
        complaint("run.yaml", {{"cluster.placement", "{hosts_file: no.txt}"}}).find("no such file"),
        std::string::npos);
}

TEST_F(RoutingKey, AutoCountsTheGpusOfTheListedHosts)
{
    const auto all = load_experiment("run.yaml", {}).spec;
    const auto half = load_experiment("run.yaml", {{"cluster.placement", "{hosts: node1}"}}).spec;
    EXPECT_EQ(half.workload.plan.data * all.cluster.nodes, all.workload.plan.data);
}

}  // namespace
}  // namespace sim::config
