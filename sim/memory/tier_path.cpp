#include "memory/tier_path.hpp"

#include <fmt/format.h>

#include "core/contract.hpp"

namespace sim::memory
{

TierPaths::TierPaths(const NodeTiers& node) : node_{node}
{
    for (std::size_t s = 0; s < node.sockets.size(); ++s) {
        dram_.push_back(add(fmt::format("socket{}/dram", s), node.sockets[s].peak));
    }
    for (std::size_t g = 0; g < node.gpus.size(); ++g) {
        SIM_EXPECT(node.gpus[g].socket < node.sockets.size());
        hbm_.push_back(add(fmt::format("gpu{}/hbm", g), node.gpus[g].hbm.peak));
        gpu_slot_.push_back(add(fmt::format("gpu{}/slot_in", g), node.gpus[g].slot));
        add(fmt::format("gpu{}/slot_out", g), node.gpus[g].slot);
    }
    for (std::size_t d = 0; d < node.drives.size(); ++d) {
        SIM_EXPECT(node.drives[d].socket < node.sockets.size());
        drive_read_.push_back(add(fmt::format("drive{}/read", d), node.drives[d].read));
        add(fmt::format("drive{}/write", d), node.drives[d].write);
        drive_slot_.push_back(add(fmt::format("drive{}/slot_in", d), node.drives[d].slot));
        add(fmt::format("drive{}/slot_out", d), node.drives[d].slot);
    }
    if (node.sockets.size() > 1) {
        socket_link_ = add("socket_link/up", node.socket_link);
        add("socket_link/down", node.socket_link);
    }
    if (node.pool_link > Bandwidth{}) {
        pool_link_ = add("pool_link/in", node.pool_link);
        add("pool_link/out", node.pool_link);
        pool_ = add("pool", node.pool.peak);
    }
}

std::size_t TierPaths::add(const std::string& name, Bandwidth capacity)
{
    SIM_EXPECT(capacity > Bandwidth{});
    resources_.push_back({name, capacity.base()});
    return resources_.size() - 1;
}

std::size_t TierPaths::socket_of(TierEnd end) const
{
    switch (end.kind) {
        case TierEnd::Kind::hbm:
            return node_.gpus.at(end.index).socket;
        case TierEnd::Kind::dram:
            return end.index;
        case TierEnd::Kind::drive:
            return node_.drives.at(end.index).socket;
        case TierEnd::Kind::pool:
            break;
    }
    return 0;  // the pool's port is the first socket's
}

/// What one end itself gives or takes, and its own way to its socket.
void TierPaths::touch(std::vector<TierCrossing>& crossed, TierEnd end, Way way) const
{
    const auto next = way == Way::in ? 0U : 1U;
    const auto memory = [&](std::size_t resource, const NodeTiers::Memory& of) {
        crossed.push_back({resource, 1 / (way == Way::in ? of.write : of.read)});
    };
    switch (end.kind) {
        case TierEnd::Kind::hbm:
            crossed.push_back({gpu_slot_.at(end.index) + next, 1});
            memory(hbm_.at(end.index), node_.gpus[end.index].hbm);
            break;
        case TierEnd::Kind::dram:
            memory(dram_.at(end.index), node_.sockets[end.index]);
            break;
        case TierEnd::Kind::drive:
            crossed.push_back({drive_slot_.at(end.index) + next, 1});
            crossed.push_back({drive_read_.at(end.index) + (way == Way::in ? 1U : 0U), 1});
            break;
        case TierEnd::Kind::pool:
            SIM_EXPECT(node_.pool_link > Bandwidth{});
            crossed.push_back({pool_link_ + next, 1});
            memory(pool_, node_.pool);
            break;
    }
}

std::vector<TierCrossing> TierPaths::copy(TierEnd from, TierEnd to, bool buffered) const
{
    std::vector<TierCrossing> crossed;
    touch(crossed, from, Way::out);
    const auto source = socket_of(from);
    const auto target = socket_of(to);
    const bool in_host = from.kind == TierEnd::Kind::dram || to.kind == TierEnd::Kind::dram;
    if (buffered && !in_host) {
        // Written and read again: a byte takes what a copy's two bytes do.
        crossed.push_back({dram_.at(target), 2 / node_.sockets[target].copy});
    }
    if (source != target) {
        crossed.push_back({socket_link_ + (source < target ? 0U : 1U), 1});
    }
    touch(crossed, to, Way::in);
    return crossed;
}

}  // namespace sim::memory
