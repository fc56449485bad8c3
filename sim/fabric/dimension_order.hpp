#pragma once

#include <optional>
#include <vector>

#include "fabric/switch_network.hpp"
#include "spec/fabric.hpp"

namespace sim::fabric
{

/// Side after side of a torus, each the shorter way round; half each way where both are equally
/// long, and the other way round where a dead cable bars one. sim/fabric/routing.md
class DimensionOrder
{
public:
    DimensionOrder(const SwitchNetwork& network, const spec::TorusSpec& torus)
        : network_{network}, torus_{torus}
    {
    }

    /// Between two switches of the machine; nothing when a side has no way left.
    [[nodiscard]] std::optional<Route> route(VertexId from, VertexId to) const;

private:
    [[nodiscard]] std::optional<Route> along(std::size_t side, std::size_t& at, int target) const;
    [[nodiscard]] std::optional<Route> go(std::size_t side, std::size_t at, int steps) const;

    const SwitchNetwork& network_;
    const spec::TorusSpec& torus_;
};

}  // namespace sim::fabric
