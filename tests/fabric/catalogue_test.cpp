#include "fabric/catalogue.hpp"

#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "fabric/clusters.hpp"

namespace sim::fabric
{
namespace
{

Diagnostics refused(const std::string& kind)
{
    try {
        (void)find_builder(kind);
    } catch (const InputError& error) {
        return error.diagnostics();
    }
    return {};
}

TEST(Catalogue, AMisspeltKindIsAnsweredWithTheNearestOne)
{
    const auto diagnostics = refused("leaf_spin");
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].key, "cluster.fabric.kind");
    EXPECT_EQ(diagnostics[0].message, "there is no fabric \"leaf_spin\"");
    EXPECT_EQ(diagnostics[0].hint, "did you mean \"leaf_spine\"?");
}

TEST(Catalogue, AnUnknownKindIsAnsweredWithAllThereAre)
{
    const auto diagnostics = refused("moebius");
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].hint, "write one of leaf_spine");
}

TEST(Catalogue, EveryKindBuilds)
{
    for (const auto& entry : catalogue()) {
        auto cluster = test::round_cluster(4);
        cluster.fabric.kind = entry.kind;
        EXPECT_EQ(build(cluster).gpus.size(), 32U) << entry.kind;
    }
}

}  // namespace
}  // namespace sim::fabric
