#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sim::engine
{

/// What a flow asks of SimGrid.
struct FlowRequest {
    struct Part {
        std::uint32_t link;
        std::uint32_t times;
    };

    std::span<const Part> route;  ///< empty: limited by the cap alone
    double amount;                ///< units
    double penalty;               ///< rates are fair in rate * penalty
    double cap;                   ///< units per second; kUnlimited is none
};

struct Flow;
struct FlowDeleter {
    void operator()(Flow* flow) const;
};
using FlowHandle = std::unique_ptr<Flow, FlowDeleter>;

/// SimGrid's part of the engine: links, flows that share them max-min fairly, and a clock.
///
/// One per process: SimGrid's engine is a singleton whose clock does not restart. Links are added
/// before the first flow. Errors inside SimGrid abort the process.
class SimgridFlows
{
public:
    SimgridFlows();
    ~SimgridFlows();
    SimgridFlows(const SimgridFlows&) = delete;
    SimgridFlows& operator=(const SimgridFlows&) = delete;

    /// Returns the links' numbers in order: 0, 1, 2, ...
    std::uint32_t add_link();
    void set_bandwidth(std::uint32_t link, double units_per_second);

    /// `owner` comes back from advance when the flow has moved its amount.
    [[nodiscard]] FlowHandle start(std::uint64_t owner, const FlowRequest& request);
    void suspend(Flow& flow);
    void resume(Flow& flow);
    void cancel(FlowHandle flow);
    [[nodiscard]] double remaining(const Flow& flow) const;  ///< of a flow that has not ended

    [[nodiscard]] double now() const;

    /// When the next flow ends if nothing changes; kUnlimited when none moves.
    [[nodiscard]] double next_end();

    /// Moves the clock to next_end() or `until`, whichever comes first, and appends the owners of
    /// the flows that ended, in no particular order.
    void advance(double until, std::vector<std::uint64_t>& ended);

private:
    struct Machine;
    std::unique_ptr<Machine> machine_;
};

}  // namespace sim::engine
