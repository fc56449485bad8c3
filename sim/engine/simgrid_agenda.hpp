#pragma once

#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "engine/engine.hpp"

namespace sim::engine
{

/// What the simgrid engine itself knows will happen, by (time, phase, order of adding). SimGrid
/// orders timers by date alone and ends flows in the order of its queue; here ties are ours.
class Agenda
{
public:
    struct Capacity {
        ResourceId resource;
        double capacity;
    };
    struct LatencyOver {
        std::uint64_t activity;
    };
    struct Timer {
        std::uint64_t token;
    };
    using What = std::variant<Capacity, LatencyOver, Timer>;  ///< in the order of the phases

    struct Event {
        double at;
        std::uint64_t order;
        What what;
    };

    void add(double at, What what)
    {
        timers_ += std::holds_alternative<Timer>(what) ? 1 : 0;
        events_.push({at, order_++, what});
    }

    Event pop()
    {
        const Event event = events_.top();
        events_.pop();
        timers_ -= std::holds_alternative<Timer>(event.what) ? 1 : 0;
        return event;
    }

    [[nodiscard]] double next_time() const
    {
        return events_.empty() ? kUnlimited : events_.top().at;
    }
    [[nodiscard]] bool has_timers() const { return timers_ > 0; }

private:
    struct Later {
        bool operator()(const Event& a, const Event& b) const
        {
            return std::tuple{a.at, a.what.index(), a.order} >
                   std::tuple{b.at, b.what.index(), b.order};
        }
    };

    std::priority_queue<Event, std::vector<Event>, Later> events_;
    std::uint64_t order_ = 0;
    std::uint64_t timers_ = 0;
};

}  // namespace sim::engine
