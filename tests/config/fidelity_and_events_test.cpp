#include "fixture.hpp"

namespace sim::config
{
namespace
{

using spec::Fidelity;

class FidelityKey : public InFolder
{
protected:
    FidelityKey() { write_good(); }

    static spec::FidelitySpec read(const std::vector<Override>& overrides)
    {
        return load_experiment("run.yaml", overrides).spec.fidelity;
    }
};

TEST_F(FidelityKey, IsFlowUnlessWritten)
{
    EXPECT_EQ(read({}).otherwise, Fidelity::flow);
    EXPECT_FALSE(read({}).all_reduce);
}

TEST_F(FidelityKey, IsOneWordForAllCollectives)
{
    EXPECT_EQ(read({{"fidelity", "analytic"}}).otherwise, Fidelity::analytic);
    EXPECT_EQ(read({{"fidelity", "chunk"}}).otherwise, Fidelity::chunk);
}

TEST_F(FidelityKey, IsAWordForEachKind)
{
    const auto both =
        read({{"fidelity", "{default: analytic, all_reduce: chunk, send_recv: flow}"}});
    EXPECT_EQ(both.otherwise, Fidelity::analytic);
    EXPECT_EQ(both.all_reduce, Fidelity::chunk);
    EXPECT_EQ(both.send_recv, Fidelity::flow);
    EXPECT_FALSE(both.all_gather);
    const auto one = read({{"fidelity.all_gather", "chunk"}});
    EXPECT_EQ(one.otherwise, Fidelity::flow);
    EXPECT_EQ(one.all_gather, Fidelity::chunk);
}

TEST_F(FidelityKey, AnUnknownWordOrKindIsNamed)
{
    EXPECT_NE(complaint("run.yaml", {{"fidelity", "chunks"}})
                  .find("fidelity: \"chunks\" is not one of analytic, flow, chunk"),
              std::string::npos);
    EXPECT_NE(complaint("run.yaml", {{"fidelity.allreduce", "flow"}})
                  .find("did you mean \"all_reduce\"?"),
              std::string::npos);
}

class EventsKey : public InFolder
{
protected:
    EventsKey() { write_good(); }

    static std::string complaint_about(const std::string& event)
    {
        return complaint("run.yaml", {{"cluster.events", "[" + event + "]"}});
    }
};

TEST_F(EventsKey, IsAListOfInstantsResourcesAndShares)
{
    const auto loaded = load_experiment(
        "run.yaml", {{"cluster.events",
                      "[{at: 2 s, resource: \"node0/nic0->leaf0\", capacity: 0}, "
                      "{at: 2500 ms, resource: \"node0/nic0->leaf0\", capacity: 50 %}]"}});
    const auto& events = loaded.spec.cluster.events;
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].at, Time::of(2));
    EXPECT_EQ(events[0].resource, "node0/nic0->leaf0");
    EXPECT_EQ(events[0].capacity, 0);
    EXPECT_EQ(events[1].at, Time::of(2.5));
    EXPECT_EQ(events[1].capacity, 0.5);
}

TEST_F(EventsKey, ANumberWithoutPercentIsNoShare)
{
    for (const auto* wrong : {"0.5", "nan %", "half", "%", "5 % %", "50 GB/s"}) {
        EXPECT_NE(complaint_about(std::string{"{at: 1 s, resource: x, capacity: '"} + wrong + "'}")
                      .find("is not a share"),
                  std::string::npos)
            << wrong;
    }
}

TEST_F(EventsKey, NoResourceHasMoreThanItsCapacityOrLessThanNone)
{
    for (const auto* wrong : {"101 %", "-1 %"}) {
        EXPECT_NE(complaint_about(std::string{"{at: 1 s, resource: x, capacity: "} + wrong + "}")
                      .find("write 0 % (dead) to 100 % (whole)"),
                  std::string::npos)
            << wrong;
    }
}

TEST_F(EventsKey, AnInstantIsATimeOfZeroOrMore)
{
    for (const auto* wrong : {"-1 s", "2", "nan s", "inf s"}) {
        EXPECT_NE(complaint_about(std::string{"{at: "} + wrong + ", resource: x, capacity: 0}")
                      .find("cluster.events.0.at"),
                  std::string::npos)
            << wrong;
    }
}

TEST_F(EventsKey, EveryKeyIsNeeded)
{
    const auto text = complaint_about("{at: 1 s}");
    EXPECT_NE(text.find("cluster.events.0.resource: missing"), std::string::npos) << text;
    EXPECT_NE(text.find("cluster.events.0.capacity: missing"), std::string::npos) << text;
}

}  // namespace
}  // namespace sim::config
