#pragma once

#include <optional>
#include <span>
#include <vector>

#include "collective/schedule.hpp"
#include "engine/engine.hpp"
#include "replay/live_routes.hpp"
#include "replay/lowering.hpp"
#include "replay/machine.hpp"

namespace sim::cli
{

/// Collectives that start together, each phase by phase, on the engine of the machine.
class CommRun : private engine::Listener
{
public:
    CommRun(engine::Engine& engine, const replay::Machine& machine)
        : engine_{engine}, machine_{machine}
    {
    }

    /// How long each of them takes.
    [[nodiscard]] std::vector<Time> times(std::span<const collective::Schedule> schedules);

private:
    struct Progress {
        const collective::Schedule* schedule = nullptr;
        std::size_t phase = 0;
        std::size_t flows_left = 0;
        Time end{};
        replay::LoweredCollective phase_flows;  ///< of the phase that runs
    };

    void finished(std::uint64_t token) override;
    void timer(std::uint64_t token) override;
    void start_phase(std::size_t which);

    engine::Engine& engine_;
    const replay::Machine& machine_;
    std::vector<Progress> progress_;
    std::optional<replay::LiveRoutes> live_routes_;  ///< absent when routes are planned beforehand
};

}  // namespace sim::cli
