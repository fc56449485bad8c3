#pragma once

#include <vector>

#include "core/quantity.hpp"
#include "engine/engine.hpp"
#include "replay/machine.hpp"

namespace sim::replay
{

/// What every resource served between two instants of a run, in the order of Machine::resources.
class ServedWindow
{
public:
    ServedWindow(const Machine& machine, const engine::Engine& engine)
        : machine_{machine}, engine_{engine}, served_(machine.resources().size())
    {
    }

    void open() { add(-1); }
    void close() { add(1); }

    [[nodiscard]] const std::vector<double>& served() const { return served_; }

private:
    void add(double sign)
    {
        for (std::size_t i = 0; i < served_.size(); ++i) {
            served_[i] += sign * engine_.served(machine_.resources()[i].id);
        }
    }

    const Machine& machine_;
    const engine::Engine& engine_;
    std::vector<double> served_;
};

}  // namespace sim::replay
