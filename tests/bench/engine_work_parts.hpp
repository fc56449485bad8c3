#pragma once

#include <cstdint>

#include "core/random.hpp"
#include "engine/engine.hpp"

namespace bench
{

/// In [0, 1), the same on every machine.
inline double uniform(std::uint64_t purpose, std::uint64_t entity)
{
    return static_cast<double>(sim::mix(purpose, entity) >> 11) * 0x1p-53;
}

inline sim::ResourceId add(sim::engine::Engine& engine, double capacity)
{
    return engine.add_resource({"resource", capacity, {}});
}

}  // namespace bench
