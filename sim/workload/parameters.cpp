#include "workload/parameters.hpp"

#include "core/contract.hpp"

namespace sim::workload
{

namespace
{

/// Numbers in matrices, and beside them (biases, norms, gates of one number a head).
struct Count {
    std::int64_t matrices = 0;
    std::int64_t others = 0;

    [[nodiscard]] std::int64_t all() const { return matrices + others; }
    friend Count operator+(Count a, Count b)
    {
        return {a.matrices + b.matrices, a.others + b.others};
    }
};

std::int64_t query_width(const spec::ModelSpec& model)
{
    return std::int64_t{model.heads} * model.head_dim;
}

Count grouped_attention(const spec::ModelSpec& model)
{
    const auto query = query_width(model);
    const auto key_value = std::int64_t{model.kv_heads} * model.head_dim;
    const auto queries = model.attention_gate ? 2 * query : query;
    Count count;
    count.matrices = model.hidden * (queries + 2 * key_value + query);
    count.others =
        (model.qkv_bias ? query + 2 * key_value : 0) + (model.projection_bias ? model.hidden : 0) +
        (model.qk_norm ? 2 * model.head_dim : 0) + (model.attention_sinks ? model.heads : 0);
    return count;
}

/// DeepSeek-V2 (arXiv:2405.04434), section 2.1: down to the latent vectors, a norm on each, up.
Count latent_attention(const spec::ModelSpec& model)
{
    const auto& latent = *model.latent;
    const std::int64_t heads = model.heads;
    const auto queries = heads * (latent.plain_dim + latent.rotary_dim);
    const auto up = heads * (latent.plain_dim + latent.value_dim);
    Count count;
    count.matrices = latent.query_rank > 0 ? latent.query_rank * (model.hidden + queries)
                                           : model.hidden * queries;
    count.matrices += model.hidden * (latent.key_value_rank + latent.rotary_dim) +
                      latent.key_value_rank * up + heads * latent.value_dim * model.hidden;
    count.others = latent.query_rank + latent.key_value_rank;
    return count;
}

/// Queries, keys, values and the output's gate; two numbers a head from the token, two learned;
/// the convolution; a norm over a head's output.
Count linear_attention(const spec::ModelSpec& model)
{
    SIM_EXPECT(model.linear.has_value());
    const auto& linear = *model.linear;
    const auto keys = linear.key_heads * linear.key_dim;
    const auto values = linear.value_heads * linear.value_dim;
    const auto inputs = 2 * keys + 2 * values + 2 * linear.value_heads;
    Count count;
    count.matrices = model.hidden * (inputs + values);
    count.others = linear.kernel * (2 * keys + values) + 2 * linear.value_heads + linear.value_dim;
    return count;
}

Count mixer(const spec::ModelSpec& model, spec::Mixer mixer)
{
    if (mixer == spec::Mixer::linear) {
        return linear_attention(model);
    }
    return model.latent ? latent_attention(model) : grouped_attention(model);
}

Count mlp(const spec::ModelSpec& model, std::int64_t width, bool bias)
{
    const auto up = model.gated_mlp ? 2 * width : width;
    return {model.hidden * (up + width), bias ? up + model.hidden : 0};
}

/// `used` of the experts, the shared ones, and the router.
Count experts(const spec::ModelSpec& model, int used)
{
    SIM_EXPECT(model.experts.has_value());
    const auto& spec = *model.experts;
    const auto one = mlp(model, spec.ffn, spec.bias);
    Count count{used * one.matrices, used * one.others};
    count.matrices += model.hidden * spec.count;
    count.others += spec.router_bias ? spec.count : 0;
    count.others += spec.shared_gate ? model.hidden : 0;
    return spec.shared_ffn > 0 ? count + mlp(model, spec.shared_ffn, spec.bias) : count;
}

enum class Which { all, active };

Count layer(const spec::ModelSpec& model, spec::LayerKind kind, Which which)
{
    const Count norms{0, model.layer_norms * norm_parameters(model)};
    if (!kind.experts) {
        return norms + mixer(model, kind.mixer) + mlp(model, model.ffn, model.mlp_bias);
    }
    SIM_EXPECT(model.experts.has_value());
    const int used = which == Which::all ? model.experts->count : model.experts->per_token;
    return norms + mixer(model, kind.mixer) + experts(model, used);
}

std::int64_t total(const spec::ModelSpec& model, Which which)
{
    auto sum = embedding_parameters(model) + head_parameters(model) + norm_parameters(model);
    for (int index = 0; index < model.layers; ++index) {
        sum += layer(model, spec::layer_kind(model, index), which).all();
    }
    return sum;
}

}  // namespace

std::int64_t layer_parameters(const spec::ModelSpec& model, spec::LayerKind kind)
{
    return layer(model, kind, Which::all).all();
}

std::int64_t active_layer_parameters(const spec::ModelSpec& model, spec::LayerKind kind)
{
    return layer(model, kind, Which::active).all();
}

std::int64_t active_matrices(const spec::ModelSpec& model, spec::LayerKind kind)
{
    return layer(model, kind, Which::active).matrices;
}

std::int64_t norm_parameters(const spec::ModelSpec& model)
{
    return model.norm_bias ? 2 * model.hidden : model.hidden;
}

std::int64_t embedding_parameters(const spec::ModelSpec& model)
{
    return (model.vocab + model.positions) * model.hidden;
}

std::int64_t head_parameters(const spec::ModelSpec& model)
{
    const auto matrix = model.tied_embeddings ? 0 : model.vocab * model.hidden;
    return matrix + (model.head_bias ? model.vocab : 0);
}

std::int64_t total_parameters(const spec::ModelSpec& model) { return total(model, Which::all); }

std::int64_t active_parameters(const spec::ModelSpec& model) { return total(model, Which::active); }

}  // namespace sim::workload
