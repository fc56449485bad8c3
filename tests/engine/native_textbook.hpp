#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/engine.hpp"

/// The simplest solver there is, to compare the engine's with; shares nothing with it.
namespace textbook
{

using sim::engine::kUnlimited;
using sim::engine::Use;

struct Flow {
    std::vector<Use> uses;
    double share = 1;
    double cap = kUnlimited;
    bool alive = true;
};

struct Scene {
    std::vector<double> capacities;
    std::vector<Flow> flows;
};

/// Progressive filling as in the textbook: raise all levels together until a resource fills or a
/// flow reaches its cap, freeze what that holds, go on. Returns rates.
inline std::vector<double> rates(const Scene& scene)
{
    const auto count = scene.flows.size();
    std::vector<double> level(count, -1);
    for (;;) {
        double next = kUnlimited;
        std::vector<double> resource_level(scene.capacities.size(), kUnlimited);
        for (std::size_t r = 0; r < scene.capacities.size(); ++r) {
            double left = scene.capacities[r];
            double weight = 0;
            for (std::size_t f = 0; f < count; ++f) {
                for (const auto& use : scene.flows[f].uses) {
                    if (!scene.flows[f].alive || use.resource.index() != r) {
                        continue;
                    }
                    const double w = use.consumption * scene.flows[f].share;
                    (level[f] < 0 ? weight : left) -= level[f] < 0 ? -w : w * level[f];
                }
            }
            resource_level[r] = weight > 0 ? std::max(0.0, left) / weight : kUnlimited;
            next = std::min(next, resource_level[r]);
        }
        bool open = false;
        for (std::size_t f = 0; f < count; ++f) {
            if (scene.flows[f].alive && level[f] < 0) {
                next = std::min(next, scene.flows[f].cap / scene.flows[f].share);
                open = true;
            }
        }
        if (!open) {
            break;
        }
        const auto same = [next](double value) {
            return value <= next * (1 + 1e-12) || value == next;
        };
        for (std::size_t f = 0; f < count; ++f) {
            const auto& flow = scene.flows[f];
            bool stops = same(flow.cap / flow.share);
            for (const auto& use : flow.uses) {
                stops |= use.consumption > 0 && same(resource_level[use.resource.index()]);
            }
            if (flow.alive && level[f] < 0 && stops) {
                level[f] = next;
            }
        }
    }
    for (std::size_t f = 0; f < count; ++f) {
        level[f] *= scene.flows[f].share;
    }
    return level;
}

}  // namespace textbook
