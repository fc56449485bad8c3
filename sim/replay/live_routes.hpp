#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/engine.hpp"
#include "fabric/fabric.hpp"
#include "replay/lowering.hpp"
#include "replay/machine.hpp"

namespace sim::replay
{

/// Routes the flows that run: as they start, by what else runs (adaptive, ugal), and again when an
/// outage begins or ends and whenever load is balanced anew. sim/replay/rerouting.md
class LiveRoutes
{
public:
    /// What an executor does with an activity of ours.
    struct Hooks {
        std::function<engine::ActivityId(const engine::Activity&)> start;
        /// So many bytes of an activity that had these uses will not move over them.
        std::function<void(std::span<const engine::Use>, double)> withdrawn;
    };

    LiveRoutes(const Machine& machine, engine::Engine& engine, Hooks hooks);

    /// Sets the timers of the outages. Call when the run begins.
    void begin();

    /// Flow `flow` of the plan, under the token that tells of its end.
    void start(const LoweredCollective& plan, std::uint32_t flow, std::uint64_t token);
    void ended(std::uint64_t token);

    /// One of ours: all timers of an executor are.
    void timer(std::uint64_t token);

private:
    struct Load {
        LinkId link;
        double queue_pairs;
    };

    struct Running {
        const LoweredCollective* plan = nullptr;
        std::uint32_t flow = 0;
        double amount = 0;  ///< of the activity that runs now
        Time begins{};      ///< its latency is over then
        engine::ActivityId activity{};
        std::vector<engine::Use> uses;
        std::vector<Load> loads;
    };

    void place(Running& running);
    void lift(const Running& running);
    void put_back(const Running& running);
    /// Of the fullest of its links, over the link's bandwidth.
    [[nodiscard]] double fullest(const Running& running) const;
    void launch(Running& running, std::uint64_t token);
    /// Over other ways if there are: any after an epoch, else only emptier ones.
    void move(Running& running, std::uint64_t token, bool must);
    void balance_later();

    const Machine& machine_;
    engine::Engine& engine_;
    Hooks hooks_;
    double queue_pairs_;                        ///< of a flow between two NICs
    std::optional<fabric::Router> epoch_;       ///< of the last epoch that began
    std::vector<double> loads_;                 ///< by link: queue pairs
    std::map<std::uint64_t, Running> running_;  ///< by token
    bool balancing_ = false;                    ///< a timer is set
};

}  // namespace sim::replay
