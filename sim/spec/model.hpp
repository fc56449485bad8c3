#pragma once

#include <cstdint>
#include <string>

#include "core/diagnostics.hpp"

namespace sim::spec
{

/// A dense decoder-only transformer, as its config.json tells it.
struct ModelSpec {
    std::string name{};
    std::int64_t hidden = 0;
    int layers = 0;
    int heads = 0;
    int kv_heads = 0;  ///< heads when keys and values are not grouped
    int head_dim = 0;
    std::int64_t ffn = 0;  ///< width inside the MLP
    std::int64_t vocab = 0;
    bool gated_mlp = true;  ///< SwiGLU: three matrices; else two
    bool tied_embeddings = false;
    bool attention_bias = false;
    bool mlp_bias = false;
};

[[nodiscard]] Diagnostics validate(const ModelSpec& model, const std::string& key);

}  // namespace sim::spec
