#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sweep/pool.hpp"

namespace sim::sweep
{

/// Who gives out the tasks of a sweep, by their number in the plan: this process alone, or the
/// first of several under MPI.
class Crew
{
public:
    Crew() = default;
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    virtual ~Crew() = default;

    /// A task for a worker of this process; nothing when all are given out or the crew stops.
    [[nodiscard]] virtual std::optional<std::size_t> next() = 0;

    /// A task of this process ended.
    virtual void ended(const Reply& reply) = 0;

    /// No more tasks for anybody: something is wrong with the world, or a signal came.
    virtual void stop() = 0;

    /// Answers the others. True once everybody knows that there is nothing left.
    [[nodiscard]] virtual bool over() = 0;

    /// How long a process may sleep before it looks for messages again.
    [[nodiscard]] virtual std::chrono::milliseconds patience() const = 0;

    /// Everything that ended anywhere since the last call; where that is known.
    [[nodiscard]] virtual std::vector<Reply> news() = 0;
};

/// This process alone.
[[nodiscard]] std::unique_ptr<Crew> lone_crew(std::vector<std::size_t> tasks);

}  // namespace sim::sweep
