#include "collective/torus_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/contract.hpp"

namespace sim::collective
{
namespace
{

const spec::TorusSpec* torus_of(const Situation& in)
{
    return std::get_if<spec::TorusSpec>(&in.cluster.fabric.network);
}

/// Sides longer than one: the others have no ring.
std::vector<std::size_t> long_sides(const spec::TorusSpec& torus)
{
    std::vector<std::size_t> sides;
    for (std::size_t side = 0; side < torus.sides.size(); ++side) {
        if (torus.sides[side] > 1) {
            sides.push_back(side);
        }
    }
    return sides;
}

std::size_t stride(const spec::TorusSpec& torus, std::size_t side)
{
    std::size_t step = 1;
    for (std::size_t later = side + 1; later < torus.sides.size(); ++later) {
        step *= static_cast<std::size_t>(torus.sides[later]);
    }
    return step;
}

using Grid = std::vector<std::vector<GpuId>>;  ///< by switch and rail

Grid grid_of(const Situation& in, const spec::TorusSpec& torus)
{
    std::size_t switches = 1;
    for (const auto side : torus.sides) {
        switches *= static_cast<std::size_t>(side);
    }
    Grid grid(switches);
    for (const auto& node : in.nodes) {
        auto& here = grid[node.node.index() / static_cast<std::size_t>(torus.nodes_per_switch)];
        here.insert(here.end(), node.members.begin(), node.members.end());
    }
    return grid;
}

/// All rings along `side`, one rail beside another. `size` is what one rail's ring moves.
void add_rings(const Situation& in, const Grid& grid, std::size_t side, Phase& phase, Kind kind,
               double size)
{
    const auto& torus = *torus_of(in);
    const auto step = stride(torus, side);
    const auto length = static_cast<std::size_t>(torus.sides[side]);
    for (std::size_t first = 0; first < grid.size(); ++first) {
        if (first / step % length != 0) {
            continue;
        }
        for (std::size_t rail = 0; rail < grid[first].size(); ++rail) {
            std::vector<GpuId> ring;
            for (std::size_t i = 0; i < length; ++i) {
                ring.push_back(grid[first + i * step][rail]);
            }
            phase.flows.push_back(in.flows.ring(kind, ring, size, in.label(rail)));
        }
    }
}

Phase inside_switches(const Situation& in, const Grid& grid, Kind kind)
{
    Phase phase;
    for (const auto& here : grid) {
        phase.flows.push_back(in.flows.ring(kind, here, in.bytes(), in.request.label));
    }
    return phase;
}

/// Reduce-scatters along one side after another. The all-gathers are the same backwards.
std::vector<Phase> along_sides(const Situation& in, const Grid& grid, Kind kind)
{
    const auto& torus = *torus_of(in);
    const auto sides = long_sides(torus);
    const double rails = static_cast<double>(grid.front().size());
    std::vector<Phase> phases(sides.size());
    for (std::size_t part = 0; part < sides.size(); ++part) {
        double size = in.bytes() / rails / static_cast<double>(sides.size());
        for (std::size_t step = 0; step < sides.size(); ++step) {
            const auto side = sides[(part + step) % sides.size()];
            add_rings(in, grid, side, phases[step], kind, size);
            size /= torus.sides[side];
        }
    }
    return phases;
}

}  // namespace

std::optional<std::string> refuse_torus(const Situation& in)
{
    const auto* torus = torus_of(in);
    if (torus == nullptr) {
        return fmt::format("needs a torus, but the network is a {}",
                           spec::kind_name(in.cluster.fabric));
    }
    if (long_sides(*torus).empty()) {
        return "needs a torus with a side longer than 1";
    }
    if (in.nodes.size() != in.fabric.nodes) {
        return fmt::format("needs members on every node of the torus, but {} of {} have none",
                           in.fabric.nodes - in.nodes.size(), in.fabric.nodes);
    }
    return std::nullopt;
}

std::vector<Phase> torus_phases(const Situation& in)
{
    SIM_EXPECT(!refuse_torus(in));
    const auto grid = grid_of(in, *torus_of(in));
    const bool several = grid.front().size() > 1;
    const auto kind = in.request.kind;
    std::vector<Phase> phases;
    if (kind != Kind::all_gather) {
        if (several) {
            phases.push_back(inside_switches(in, grid, Kind::reduce_scatter));
        }
        auto sides = along_sides(in, grid, Kind::reduce_scatter);
        std::move(sides.begin(), sides.end(), std::back_inserter(phases));
    }
    if (kind != Kind::reduce_scatter) {
        auto sides = along_sides(in, grid, Kind::all_gather);
        std::move(sides.rbegin(), sides.rend(), std::back_inserter(phases));
        if (several) {
            phases.push_back(inside_switches(in, grid, Kind::all_gather));
        }
    }
    return phases;
}

}  // namespace sim::collective
