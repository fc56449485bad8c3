#pragma once

#include <cstdint>

#include "spec/model.hpp"

namespace sim::workload
{

/// All parameters of one layer; sim/workload/parameters.md has the table.
[[nodiscard]] std::int64_t layer_parameters(const spec::ModelSpec& model, spec::LayerKind kind);
/// Of these, what a token passes through: its own experts and not the others.
[[nodiscard]] std::int64_t active_layer_parameters(const spec::ModelSpec& model,
                                                   spec::LayerKind kind);

/// The input side: words, and learned positions.
[[nodiscard]] std::int64_t embedding_parameters(const spec::ModelSpec& model);
/// Without the final norm; of a tied head only its bias.
[[nodiscard]] std::int64_t head_parameters(const spec::ModelSpec& model);
[[nodiscard]] std::int64_t norm_parameters(const spec::ModelSpec& model);  ///< of one norm

/// All of them, the final norm included; equals the published count to the last one.
[[nodiscard]] std::int64_t total_parameters(const spec::ModelSpec& model);
/// What a token passes through, embeddings included.
[[nodiscard]] std::int64_t active_parameters(const spec::ModelSpec& model);

/// Numbers in the matrices that multiply a token in one layer: what FLOPs are counted from.
[[nodiscard]] std::int64_t active_matrices(const spec::ModelSpec& model, spec::LayerKind kind);

}  // namespace sim::workload
