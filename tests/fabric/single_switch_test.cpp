#include "fabric/single_switch.hpp"

#include <gtest/gtest.h>

#include "core/diagnostics.hpp"
#include "fabric/networks.hpp"

namespace sim::fabric
{
namespace
{

spec::ClusterSpec hub(int nodes, int ports)
{
    auto cluster = test::bare_cluster(nodes, 2);
    auto model = test::ample_switch();
    model.max_ports = ports;
    cluster.fabric.network = spec::SingleSwitchSpec{model};
    return cluster;
}

TEST(SingleSwitch, PutsEveryNicOnOneSwitch)
{
    const auto found = test::described(hub(4, 8));
    EXPECT_EQ(test::switches(found, VertexKind::leaf), 1);
    EXPECT_EQ(test::cables(found, LinkKind::nic), 8);
    EXPECT_EQ(found.paths.diameter, 2);
    EXPECT_DOUBLE_EQ(test::closed_form_over_flow(hub(4, 8)), 1);
}

TEST(SingleSwitch, IsRefusedOnePortShort)
{
    try {
        (void)build(hub(4, 7));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().at(0).message,
                  "8 NICs of 400 Gbps need as many ports, but \"ample\" has 7");
    }
}

}  // namespace
}  // namespace sim::fabric
