#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"

namespace sim::engine
{

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// From `at` on, the resource serves `capacity` units a second.
struct CapacityChange {
    Time at;
    double capacity;
};

/// Something that serves a number of units a second: bytes on a link, SM-seconds on a GPU.
/// Capacity may be 0 (dead until it changes) or kUnlimited; never negative or NaN.
struct Resource {
    std::string name;
    double capacity;
    std::vector<CapacityChange> schedule;  ///< ascending in time
};

/// An activity at rate r (bytes/s) takes r * consumption units/s of the resource. A resource may be
/// listed more than once; the consumptions add up.
struct Use {
    ResourceId resource;
    double consumption;
};

/// A handle; never reused within a run.
struct ActivityId {
    std::uint64_t value;
    friend constexpr auto operator<=>(ActivityId, ActivityId) = default;
};

/// `amount` bytes that move after `latency`, at a rate that every use allows.
/// Rates are max-min fair in rate / share, and never above rate_cap.
struct Activity {
    double amount = 0;            ///< bytes
    Time latency{};               ///< before the first byte moves; resources are not used meanwhile
    std::span<const Use> uses{};  ///< copied by start()
    double share = 1;             ///< number of connections
    double rate_cap = kUnlimited;  ///< bytes per second
    std::uint64_t token = 0;       ///< given back to the listener
};

/// How fast an activity moves from now on: 0 when it ends or is cancelled.
struct Pace {
    ActivityId activity;
    std::uint64_t token;
    double rate;                           ///< bytes per second
    std::optional<ResourceId> bottleneck;  ///< a saturated resource that keeps it from being faster
};

/// Who is told what happened. Calls come in (time, phase, sequence) order: at equal times timers
/// before finishes, and each in the order they were set or started. Inside a call the listener may
/// start, cancel, reserve and set timers; all changes of one instant are solved together.
class Listener
{
public:
    virtual ~Listener() = default;
    virtual void finished(std::uint64_t token) = 0;
    virtual void timer(std::uint64_t token) = 0;
    /// Only of an engine that was asked to tell. Nothing may be started or changed inside.
    virtual void paced(const Pace&) {}
};

/// What ends a run early because of the world described, e.g. a capacity that never returns.
/// The message names the stalled activities' resources.
class Stalled : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// The discrete-event core behind one seam. Built per run; no global state.
/// Negative or NaN numbers are refused with the resource's name (std::invalid_argument).
class Engine
{
public:
    virtual ~Engine() = default;

    virtual ResourceId add_resource(const Resource& resource) = 0;

    virtual ActivityId start(const Activity& activity) = 0;
    /// Ends an activity without a call to the listener; nothing happens if it has finished.
    virtual void cancel(ActivityId activity) = 0;

    /// Takes `units` of the capacity away until released, however much is in use.
    virtual void reserve(ResourceId resource, double units) = 0;
    virtual void release(ResourceId resource, double units) = 0;

    virtual void set_timer(Time at, std::uint64_t token) = 0;

    [[nodiscard]] virtual Time now() const = 0;

    /// Until no activity and no timer is left. Throws Stalled when activities remain that no future
    /// capacity change can move.
    virtual void run(Listener& listener) = 0;

    /// Units served by the resource so far (consumption integrated over finished activities'
    /// amounts and what the running ones have moved).
    [[nodiscard]] virtual double served(ResourceId resource) const = 0;

    /// Bytes per second of an activity since the last instant whose changes were solved; 0 while it
    /// waits for its latency. An engine that cannot tell gives nothing, here and below.
    [[nodiscard]] virtual std::optional<double> rate(ActivityId) const { return std::nullopt; }
    /// Bytes of its amount that a running activity has moved; nothing once it has finished.
    [[nodiscard]] virtual std::optional<double> moved(ActivityId) const { return std::nullopt; }
    /// Units per second in use.
    [[nodiscard]] virtual std::optional<double> load(ResourceId) const { return std::nullopt; }
    /// A saturated resource that keeps the activity from being faster.
    [[nodiscard]] virtual std::optional<ResourceId> bottleneck(ActivityId) const
    {
        return std::nullopt;
    }
    /// The largest relative error that consumptions were rounded by so far.
    [[nodiscard]] virtual double rounding() const { return 0; }
    /// Checks at every instant that no resource serves more than its capacity (to 1e-9); a
    /// violation is a ContractViolation that names resource, instant and tokens. Off by default.
    virtual void set_audit(bool) {}
    /// Tells the listener of every change of a rate from now on; false when the engine cannot.
    virtual bool tell_paces() { return false; }
};

/// Every engine by its name on the command line.
enum class Kind { native, simgrid };

[[nodiscard]] std::unique_ptr<Engine> make_engine(Kind kind);

/// SimGrid's options as text, "key:value" each; part of every result made with it.
[[nodiscard]] std::vector<std::string> engine_options(Kind kind);

}  // namespace sim::engine
