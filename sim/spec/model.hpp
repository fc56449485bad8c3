#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.hpp"

namespace sim::spec
{

/// What mixes the tokens of a layer.
enum class Mixer : std::uint8_t {
    attention,  ///< every earlier token
    window,     ///< the last ModelSpec::window tokens
    linear,     ///< a state of fixed size: the gated delta rule
};

struct LayerKind {
    Mixer mixer = Mixer::attention;
    bool experts = false;  ///< else the dense MLP

    friend auto operator<=>(const LayerKind&, const LayerKind&) = default;
    friend bool operator==(const LayerKind&, const LayerKind&) = default;
};

/// A layer's mixture of experts: each token goes to `per_token` of `count`.
struct ExpertsSpec {
    int count = 0;
    int per_token = 0;
    std::int64_t ffn = 0;  ///< width inside one expert
    std::int64_t shared_ffn =
        0;                     ///< width inside the experts that every token goes to, all of them
    bool shared_gate = false;  ///< a weight a token on the shared experts' output
    bool router_bias = false;  ///< one number an expert
    bool bias = false;         ///< on the experts' matrices
    friend bool operator==(const ExpertsSpec&, const ExpertsSpec&) = default;
};

/// Keys and values, and queries where `query_rank` is not 0, come from narrow latent vectors.
struct LatentSpec {
    std::int64_t query_rank = 0;
    std::int64_t key_value_rank = 0;
    std::int64_t plain_dim = 0;   ///< of a query and a key, without position
    std::int64_t rotary_dim = 0;  ///< of a query and of the one key that all heads share
    std::int64_t value_dim = 0;
    friend bool operator==(const LatentSpec&, const LatentSpec&) = default;
};

/// Gated delta rule: a short convolution over queries, keys and values, then a state a head.
struct LinearSpec {
    std::int64_t key_heads = 0;
    std::int64_t value_heads = 0;
    std::int64_t key_dim = 0;
    std::int64_t value_dim = 0;
    std::int64_t kernel = 0;  ///< tokens the convolution sees
    friend bool operator==(const LinearSpec&, const LinearSpec&) = default;
};

/// A decoder-only transformer, as its config.json tells it. sim/workload/parameters.md says what
/// each field weighs.
struct ModelSpec {
    std::string name{};
    std::int64_t hidden = 0;
    int layers = 0;
    int heads = 0;
    int kv_heads = 0;  ///< heads when keys and values are not grouped
    int head_dim = 0;
    std::int64_t ffn = 0;  ///< width inside the dense MLP
    std::int64_t vocab = 0;
    bool gated_mlp = true;  ///< SwiGLU, GeGLU: three matrices; else two
    bool tied_embeddings = false;
    bool qkv_bias = false;
    bool projection_bias = false;  ///< of attention's output
    bool mlp_bias = false;
    bool head_bias = false;
    bool layer_norm = false;  ///< subtracts the mean; else RMSNorm
    bool norm_bias = false;
    int layer_norms = 2;            ///< of a layer
    bool qk_norm = false;           ///< a norm over each head's query and key
    bool attention_gate = false;    ///< as wide as the queries, on attention's output
    bool attention_sinks = false;   ///< one number a head
    bool parallel = false;          ///< attention and MLP beside each other, one sum
    std::int64_t positions = 0;     ///< learned ones; 0: rotary or none
    std::int64_t window = 0;        ///< tokens, of Mixer::window
    bool window_in_chunks = false;  ///< a token sees the ones of its chunk, not the last ones
    std::optional<ExpertsSpec> experts{};
    std::optional<LatentSpec> latent{};
    std::optional<LinearSpec> linear{};
    /// One a layer; empty: attention everywhere, experts where there are any.
    std::vector<LayerKind> kinds{};
    friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

[[nodiscard]] LayerKind layer_kind(const ModelSpec& model, int layer);

[[nodiscard]] Diagnostics validate(const ModelSpec& model, const std::string& key);

}  // namespace sim::spec
