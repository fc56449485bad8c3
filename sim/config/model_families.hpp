#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim::config
{

/// Which layers look back no further than a window, where `layer_types` does not say.
enum class Windows : std::uint8_t {
    none,
    every,
    even,         ///< every second, the first among them
    but_last_of,  ///< all but every `sliding_window_pattern`-th
    upper,        ///< from `max_window_layers` on, with `use_sliding_window`
};

/// What a model_type says without a key of its own; a key that is written wins.
struct Family {
    std::string_view type;
    bool gated_mlp = true;
    bool layer_norm = false;
    bool norm_bias = false;
    int layer_norms = 2;
    bool qkv_bias = false;
    bool projection_bias = false;
    bool mlp_bias = false;
    bool head_bias = false;
    bool qk_norm = false;
    bool attention_gate = false;
    bool attention_sinks = false;
    bool parallel = false;
    bool learned_positions = false;
    bool tied_embeddings = false;
    Windows windows = Windows::none;
    bool experts = false;  ///< cannot be without
    bool expert_ffn_is_intermediate = false;
    bool shared_ffn_is_intermediate = false;
    bool shared_gate = false;
    bool router_bias = false;
    bool expert_bias = false;
    int window_pattern = 0;
    std::int64_t heads = 0;  ///< and what follows: 0 when the file must say
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0;
    std::int64_t vocab = 0;
};

/// Null when there is none of that name.
[[nodiscard]] const Family* find_family(std::string_view type);

/// A description without model_type, every feature named by its key.
[[nodiscard]] const Family& custom_family();

/// dbrx, deepseek_v2, ...
[[nodiscard]] std::vector<std::string> known_families();

}  // namespace sim::config
