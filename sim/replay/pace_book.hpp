#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/engine.hpp"
#include "replay/instances.hpp"
#include "replay/usage_bins.hpp"

namespace sim::replay
{

/// Seconds lost by what held back.
using LostTimes = std::array<double, kResourceKinds>;

/// What an engine's paces say inside the window: how much of each class of resources is in use over
/// time, and how long activities moved more slowly than alone, charged to the resource that bound
/// them meanwhile. A stretch of t at the rate r of an activity that could go at a alone on an idle
/// machine loses t (1 - r / a).
class PaceBook
{
public:
    /// `owners`: what losses are kept by.
    PaceBook(const Instances& instances, std::size_t owners);

    /// `weight`: of the activity's loss among what its owner loses.
    void started(engine::ActivityId activity, const engine::Activity& what, std::size_t owner,
                 double weight);
    void paced(const engine::Pace& pace, Time now);
    void open(Time now);
    void close(Time now);

    [[nodiscard]] const LostTimes& lost(std::size_t owner) const { return lost_[owner]; }
    /// Null before the window. Series are resource kinds.
    [[nodiscard]] const UsageBins* bins() const { return bins_ ? &*bins_ : nullptr; }

private:
    struct Tracked {
        std::array<double, kResourceKinds> share_per_byte{};  ///< of a class's whole capacity
        std::size_t owner = 0;
        double weight = 0;
        double alone = 0;  ///< bytes/s
        double rate = 0;
        double since = 0;
        std::optional<ResourceKind> bound;
    };
    void settle(Tracked& tracked, double now);
    void advance(double now);

    const Instances& instances_;
    std::array<double, kResourceKinds> capacity_{};  ///< of all members together
    std::vector<Tracked> tracked_;                   ///< by the engine's slot
    std::vector<LostTimes> lost_;
    std::vector<double> scratch_;  ///< by resource: consumption of one activity
    std::vector<double> levels_;   ///< by kind: of its capacity, now
    std::optional<UsageBins> bins_;
    double now_ = 0;
    bool open_ = false;
};

}  // namespace sim::replay
