#include "engine/max_min.hpp"

#include <algorithm>

namespace sim::engine
{

namespace
{

constexpr double kTolerance = 1e-9;

}  // namespace

double MaxMin::load(std::uint32_t resource) const
{
    double load = 0;
    for (const auto& claim : rows_[resource].claims) {
        load += claim.weight * flows_[claim.slot].level;
    }
    return load;
}

std::optional<std::uint32_t> MaxMin::bottleneck(Slot slot) const
{
    const auto& flow = flows_[slot];
    for (const auto& crossing : crossings(slot)) {
        if (rows_[crossing.resource].level <= flow.level * (1 + kTolerance)) {
            return crossing.resource;
        }
    }
    return std::nullopt;
}

std::optional<std::uint32_t> MaxMin::overloaded(std::span<const Slot> slots) const
{
    std::vector<std::uint32_t> crossed;
    for (const auto slot : slots) {
        for (const auto& crossing : crossings(slot)) {
            crossed.push_back(crossing.resource);
        }
    }
    std::sort(crossed.begin(), crossed.end());
    crossed.erase(std::unique(crossed.begin(), crossed.end()), crossed.end());
    for (const auto resource : crossed) {
        if (load(resource) > capacity(resource) * (1 + kTolerance)) {
            return resource;
        }
    }
    return std::nullopt;
}

std::optional<MaxMin::Slot> MaxMin::unfair() const
{
    const auto binds = [this](const Flow& flow, std::uint32_t resource) {
        if (load(resource) < capacity(resource) * (1 - kTolerance)) {
            return false;
        }
        for (const auto& claim : claims(resource)) {
            if (flows_[claim.slot].level > flow.level * (1 + kTolerance)) {
                return false;
            }
        }
        return true;
    };
    for (Slot slot = 0; slot < flows_.size(); ++slot) {
        const auto& flow = flows_[slot];
        bool fair = !flow.attached || flow.level >= flow.cap * (1 - kTolerance);
        for (const auto& crossing : arena_.block(flow.offset, flow.attached ? flow.count : 0)) {
            fair = fair || binds(flow, crossing.resource);
        }
        if (!fair) {
            return slot;
        }
    }
    return std::nullopt;
}

}  // namespace sim::engine
