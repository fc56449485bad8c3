#pragma once

#include <cstdint>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "engine/engine.hpp"
#include "formats/timeline.hpp"
#include "replay/instances.hpp"
#include "replay/resource_kind.hpp"
#include "replay/run.hpp"

namespace sim::replay
{

/// What an Executor tells of every task that ends inside the window, and how busy the resources
/// were meanwhile (sim/formats/timeline.md). Reads the engine, never changes what it does.
class TimelineRecorder
{
public:
    TimelineRecorder(const Instances& instances, const engine::Engine& engine)
        : instances_{instances}, engine_{engine}, served_(instances.supplies.size())
    {
    }

    void open(Time now);
    /// The task at the head of the stream ran from `since` to now.
    void ended(RankId rank, std::uint32_t stream, const workload::Task& task, Time since);
    void close(Time now);

    [[nodiscard]] bool is_open() const { return open_; }
    /// Everything recorded, with a track for the instance of the first rank of every class.
    [[nodiscard]] formats::Timeline take(const std::vector<RankClass>& classes);

private:
    struct Sample {
        double begin = 0;
        double end = 0;
        /// By kind: share of the capacity, mean and of the busiest.
        std::vector<std::pair<double, double>> shares;
    };

    void sample();
    void merge_pairs();

    const Instances& instances_;
    const engine::Engine& engine_;
    bool open_ = false;
    Time opened_{};
    Time closed_{};
    Time sampled_{};
    double interval_ = 1e-6;      ///< seconds between samples, at least
    std::vector<double> served_;  ///< by supply: at the last sample
    std::vector<Sample> samples_;
    std::vector<formats::TimelineSpan> spans_;  ///< tracks are instances
};

}  // namespace sim::replay
