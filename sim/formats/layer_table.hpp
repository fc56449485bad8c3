#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/text_lines.hpp"
#include "workload/task_graph.hpp"

namespace sim::formats
{

/// Ranks that a layer's collective is over.
enum class LayerScope : std::uint8_t { everybody, tensor, data, expert, expert_data };

struct LayerCollective {
    workload::CollectiveKind kind = workload::CollectiveKind::all_reduce;
    LayerScope scope = LayerScope::everybody;
    std::int64_t bytes = 0;
};

/// Computes, then communicates.
struct LayerPass {
    std::int64_t nanoseconds = 0;
    std::optional<LayerCollective> collective{};
};

enum class Pass : std::uint8_t { forward, input_gradient, weight_gradient };

struct Layer {
    std::string name;
    std::array<LayerPass, 3> passes{};
    std::int64_t update_nanoseconds = 0;

    [[nodiscard]] const LayerPass& pass(Pass which) const
    {
        return passes[static_cast<std::size_t>(which)];
    }
};

/// A text workload as its lines say.
struct LayerTable {
    std::string keyword;
    std::int64_t tensor = 1;  ///< ranks of a model-parallel group
    std::int64_t expert = 1;
    std::optional<std::int64_t> gpus{};
    std::set<std::int64_t> checkpoints{};  ///< layers whose input is kept
    std::set<std::int64_t> recomputes{};   ///< layers before whose backward the forward is repeated
    std::vector<Layer> layers{};
};

/// Complaints go to `complaints`; the caller throws.
[[nodiscard]] LayerTable read_layer_table(const std::vector<TextLine>& lines,
                                          TextComplaints& complaints);

}  // namespace sim::formats
