#pragma once

#include <cstdint>

#include "spec/workload.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

/// The communicators a rank's program may name; TaskGraph::slots maps them per rank.
enum class Slot : std::uint8_t {
    tensor,
    data,
    zero,             ///< ranks that share optimiser state, when they are not all of `data`
    forward_receive,  ///< activations from the stage before
    forward_send,
    backward_receive,  ///< gradients from the stage after
    backward_send,
    embedding,       ///< first and last stage, when they hold the same embedding
    context,         ///< ranks that share the tokens of each sequence
    peers,           ///< of `zero` groups: those that hold the same share
    expert,          ///< ranks over which the experts are spread
    expert_tensor,   ///< ranks that cut each expert
    expert_data,     ///< ranks that hold the same experts
    backward_share,  ///< ranks that hold a second copy of the parameters together
};
inline constexpr std::uint32_t kSlots = 14;

[[nodiscard]] constexpr std::uint32_t number(Slot slot) { return static_cast<std::uint32_t>(slot); }

/// Fills communicators and slots. Ranks are numbered tensor fastest, then context, data and
/// pipeline. A group of one rank is no communicator.
void add_communicators(TaskGraph& graph, const spec::WorkloadSpec& workload);

}  // namespace sim::workload
