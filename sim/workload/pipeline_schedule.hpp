#pragma once

#include <cstdint>
#include <vector>

namespace sim::workload
{

enum class Pass : std::uint8_t { forward, backward };

/// One pass of one micro-batch through one of the stage's model chunks.
struct Visit {
    Pass pass = Pass::forward;
    std::int64_t micro_batch = 0;
    int chunk = 0;  ///< 0 unless a stage holds several parts of the model

    friend bool operator==(const Visit&, const Visit&) = default;
};

/// What a stage does in a step, in order. Any pipeline schedule is such a list per stage.
using StageSchedule = std::vector<Visit>;

/// Stage i of p runs p - 1 - i forwards, then one forward and one backward in turn, then the
/// backwards that are left. With equal stages and free communication a step of m micro-batches
/// takes (m + p - 1)(f + b).
[[nodiscard]] StageSchedule one_forward_one_backward(int stages, int stage,
                                                     std::int64_t micro_batches);

/// The most micro-batches whose activations are held at once.
[[nodiscard]] std::int64_t in_flight(const StageSchedule& schedule);

}  // namespace sim::workload
