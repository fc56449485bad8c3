#include "fabric/scaled.hpp"

#include <gtest/gtest.h>

#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

TEST(Scaled, ChangesOneKindOfLinksAndNothingElse)
{
    const auto cluster = test::bare_cluster(4, 2);
    const auto plain = build(cluster);
    const auto other = scaled(build(cluster), [](LinkKind kind) {
        return LinkFactors{kind == LinkKind::nic ? 2.0 : 1.0, 0.5};
    });
    ASSERT_EQ(other.graph.links().size(), plain.graph.links().size());
    ASSERT_EQ(other.graph.vertices().size(), plain.graph.vertices().size());
    for (std::size_t i = 0; i < plain.graph.links().size(); ++i) {
        const auto& was = plain.graph.links()[i];
        const auto& is = other.graph.links()[i];
        EXPECT_EQ(is.name, was.name);
        EXPECT_EQ(is.kind, was.kind);
        const double factor = was.kind == LinkKind::nic ? 2 : 1;
        EXPECT_DOUBLE_EQ(is.bandwidth.base(), factor * was.bandwidth.base());
        EXPECT_DOUBLE_EQ(is.latency.base(), 0.5 * was.latency.base());
    }
}

}  // namespace
}  // namespace sim::fabric
