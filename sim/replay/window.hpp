#pragma once

#include <cstddef>
#include <vector>

#include "core/id.hpp"
#include "engine/engine.hpp"

namespace sim::replay
{

/// What every resource of an engine served between two instants of a run, by ResourceId.
class ServedWindow
{
public:
    ServedWindow(std::size_t resources, const engine::Engine& engine)
        : engine_{engine}, served_(resources)
    {
    }

    void open() { add(-1); }
    void close() { add(1); }

    [[nodiscard]] const std::vector<double>& served() const { return served_; }

private:
    void add(double sign)
    {
        for (std::size_t i = 0; i < served_.size(); ++i) {
            served_[i] += sign * engine_.served(ResourceId{i});
        }
    }

    const engine::Engine& engine_;
    std::vector<double> served_;
};

}  // namespace sim::replay
