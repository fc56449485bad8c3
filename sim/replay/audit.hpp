#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "engine/engine.hpp"
#include "replay/run.hpp"

namespace sim::replay
{

/// The most units a resource can have served between two instants: its capacity integrated over
/// the changes of its schedule. A change counts from its instant on.
[[nodiscard]] double most_served(double capacity,
                                 const std::vector<engine::CapacityChange>& schedule, Time from,
                                 Time to);

/// What the audit must know of a machine.
struct Audited {
    struct Resource {
        double capacity = 0;
        std::vector<engine::CapacityChange> schedule;
    };
    std::vector<Resource> resources;              ///< by ResourceId
    std::function<std::string(ResourceId)> name;  ///< for words
};

/// A task that took some time, as words are made of it.
struct Spell {
    Time from{};
    Time to{};
    Time least{};  ///< it cannot take less
    const std::string& label;
    const char* owner;  ///< "rank" or "communicator"
    std::uint64_t number = 0;
};

/// Checks while a run goes on that it keeps to physics; sim/replay/audit.md lists the rules and
/// what each catches. A violation is a ContractViolation with resource, instant and task.
class Audit
{
public:
    /// Turns the engine's own audit on too.
    Audit(Audited audited, engine::Engine& engine);

    /// What the activity will move over each resource is owed from now on.
    void started(const engine::Activity& activity);
    /// So many bytes of one that was started with these uses go another way.
    void withdrawn(std::span<const engine::Use> uses, double amount);
    /// A kernel against its time alone, a collective against its lower bound.
    void ended(const Spell& spell) const;
    /// No resource served more than its capacity since the last checkpoint.
    void checkpoint();
    /// Nothing runs any more: every resource served what it owed.
    void drained() const;

private:
    [[nodiscard]] double tolerance() const;

    Audited audited_;
    engine::Engine& engine_;
    std::vector<double> owed_;    ///< by ResourceId
    std::vector<double> served_;  ///< at the last checkpoint
    Time checked_{};
};

/// The entries of a rank's ledger sum to the step.
void expect_sum(std::size_t rank, const std::array<Time, kEntries>& entries, Time step);

}  // namespace sim::replay
