#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/event_queue.hpp"
#include "engine/max_min.hpp"

namespace sim::engine
{

struct NativeOptions {
    /// Calls to the listener at one instant before the run is taken for one that never advances.
    std::uint64_t calls_per_instant = 100'000'000;
};

/// The project's own engine: exact, incremental, deterministic. sim/engine/README.md explains it.
///
/// An activity's finish is the instant of its last change of rate + what was left then / the rate.
/// Events within one part in 1e14 of the clock are one instant; an activity with less than one part
/// in 1e12 of its amount left is done.
class NativeEngine final : public Engine
{
public:
    explicit NativeEngine(const NativeOptions& options = {}) : options_{options} {}

    ResourceId add_resource(const Resource& resource) override;
    ActivityId start(const Activity& activity) override;
    void cancel(ActivityId activity) override;
    void reserve(ResourceId resource, double units) override;
    void release(ResourceId resource, double units) override;
    void set_timer(Time at, std::uint64_t token) override;
    [[nodiscard]] Time now() const override { return Time::of(now_); }
    void run(Listener& listener) override;
    [[nodiscard]] double served(ResourceId resource) const override;

    [[nodiscard]] std::optional<double> rate(ActivityId activity) const override;
    [[nodiscard]] std::optional<double> moved(ActivityId activity) const override;
    [[nodiscard]] std::optional<double> load(ResourceId resource) const override;
    [[nodiscard]] std::optional<ResourceId> bottleneck(ActivityId activity) const override;
    void set_audit(bool on) override { audit_ = on; }
    bool tell_paces() override
    {
        telling_ = true;
        return true;
    }

    /// Empty when the present rates are max-min fair, else what is wrong with them.
    [[nodiscard]] std::string check_optimality() const;

    struct Footprint {
        std::size_t slots;   ///< places for activities, running or free
        std::size_t events;  ///< pending in the queue
        std::size_t arena;   ///< places for uses
    };
    [[nodiscard]] Footprint footprint() const;

private:
    enum class State : std::uint8_t { free, latent, moving, due };

    struct Running {
        std::uint64_t handle = 0;
        std::uint64_t token = 0;
        double amount = 0;
        double left = 0;   ///< at `since`
        double since = 0;  ///< when the rate last changed
        double rate = 0;
        State state = State::free;
    };
    struct Supply {
        std::string name;
        double scheduled;
        double reserved = 0;
    };
    struct Change {
        double at;
        std::uint64_t sequence;
        std::uint32_t resource;
        double capacity;
        [[nodiscard]] bool operator<(const Change& other) const;
    };
    struct Timer {
        double at;
        std::uint64_t sequence;
        std::uint64_t token;
        [[nodiscard]] bool operator<(const Timer& other) const;
    };

    [[nodiscard]] std::uint32_t take_slot();
    void free_slot(std::uint32_t slot, double moved);
    [[nodiscard]] const Running* find(ActivityId activity) const;
    [[nodiscard]] double left_now(const Running& running) const;
    void update_capacity(std::uint32_t resource);
    void begin(std::uint32_t slot);
    void become_due(std::uint32_t slot);
    void collect_changes();
    void collect_events();
    void call_back(Listener& listener);
    void count_call();
    void update_rates();
    void update_rate(std::uint32_t slot);
    void tell_pace(std::uint32_t slot, double rate);
    void check_loads(std::span<const MaxMin::Slot> changed) const;
    [[nodiscard]] bool timer_is_due() const;
    [[nodiscard]] bool advance();
    [[noreturn]] void report_stall() const;

    NativeOptions options_;
    std::vector<Supply> supplies_;
    std::vector<Running> running_;
    std::vector<std::uint32_t> free_slots_;
    MaxMin max_min_;
    EventQueue events_;
    std::vector<Change> changes_;     ///< a heap, earliest first
    std::vector<Timer> timers_;       ///< a heap, earliest first
    std::vector<std::uint64_t> due_;  ///< handles that finish at this instant, in order
    std::size_t due_next_ = 0;
    std::size_t alive_ = 0;
    std::uint64_t sequence_ = 0;
    std::uint64_t calls_ = 0;  ///< to the listener, at this instant
    double now_ = 0;
    double horizon_ = 0;  ///< what is due by then is due now
    bool audit_ = false;
    bool telling_ = false;
    Listener* listener_ = nullptr;  ///< while it runs
};

[[nodiscard]] std::unique_ptr<Engine> make_native_engine();

}  // namespace sim::engine
