#pragma once

#include <cstdint>
#include <vector>

#include "spec/workload.hpp"

namespace sim::workload
{

enum class Pass : std::uint8_t {
    forward,
    backward,
    weights,  ///< the part of the backward pass that a schedule may put off
};

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

/// The same where every stage holds `chunks` parts of the model, chunk c of all stages before chunk
/// c + 1 of the first. Micro-batches pass in rounds of as many as there are stages, each through
/// chunk after chunk; stage i runs 2 (p - 1 - i) + (chunks - 1) p visits ahead before it
/// alternates. The bubble is (p - 1) / (m chunks) of the work.
struct Interleaving {
    int stages = 1;
    int chunks = 1;
    std::int64_t micro_batches = 1;
};
[[nodiscard]] StageSchedule interleaved(const Interleaving& plan, int stage);

/// Every forward, then every backward in the same order.
[[nodiscard]] StageSchedule all_forward_all_backward(std::int64_t micro_batches);

/// ZB-H1 (arXiv:2401.10241): the order of 1F1B, with the weights' gradients apart. Stage i puts off
/// those of i micro-batches and spends them while it would wait. With p equal stages, free
/// communication, m >= p micro-batches and weights' gradients that take no longer than the other
/// two passes, a step takes m (f + b + w) + (p - 1) (f + b - w), and every stage holds as many
/// micro-batches as the first one of 1F1B.
[[nodiscard]] StageSchedule zero_bubble(int stages, int stage, std::int64_t micro_batches);

/// What the plan has the stage do.
[[nodiscard]] StageSchedule stage_schedule(const spec::WorkloadSpec& workload, int stage);

/// The most micro-batches whose activations are held at once: until their last pass.
[[nodiscard]] std::int64_t in_flight(const StageSchedule& schedule);

}  // namespace sim::workload
