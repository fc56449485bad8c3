#include "workload/mixer_operations.hpp"

#include "workload/matrix_operations.hpp"

namespace sim::workload
{

namespace
{

constexpr bool kBackward = true;

/// Tokens that the gated delta rule works on at once, as fla's kernels do.
constexpr std::int64_t kChunk = 64;

/// Queries and keys read and written, by what turns or normalises them.
std::int64_t query_key_bytes(const Shard& shard)
{
    const auto width = (shard.heads + shard.kv_heads) * shard.head_dim;
    return 2 * shard.element * shard.tokens * width;
}

std::int64_t gate_bytes(const Shard& shard, std::int64_t passes)
{
    return passes * shard.element * shard.tokens * shard.query();
}

void position_forward(Recipe& recipe, const Shard& shard)
{
    if (shard.qk_norm) {
        recipe.streaming("query and key norm", query_key_bytes(shard));
    }
    if (shard.positions == 0) {
        recipe.streaming("rotary", query_key_bytes(shard));
    }
}

void position_backward(Recipe& recipe, const Shard& shard)
{
    if (shard.positions == 0) {
        recipe.streaming("rotary backward", query_key_bytes(shard));
    }
    if (shard.qk_norm) {
        recipe.streaming("query and key norm backward", 2 * query_key_bytes(shard));
        recipe.gradients_ready(2 * shard.head_dim);
    }
}

int grouped_forward(Recipe& recipe, const Shard& shard, spec::Mixer mixer)
{
    recipe.gathered_gemm("qkv", {shard.tokens, shard.attention_inputs(), shard.hidden},
                         "qkv gather");
    recipe.adapter_forward(shard.hidden, shard.attention_inputs());
    position_forward(recipe, shard);
    recipe.attention(!kBackward, mixer);
    if (shard.attention_gate) {
        recipe.streaming("attention gate", gate_bytes(shard, 3));
    }
    recipe.cast(shard.tokens * shard.query());
    const GemmShape shape{shard.tokens, shard.hidden, shard.query()};
    int summed = kNothing;
    if (shard.parallel) {
        recipe.gemm("projection", shape);  // summed with the MLP's output
    } else {
        summed = recipe.reduced_gemm("projection", shape, "projection reduce");
    }
    recipe.adapter_forward(shard.query(), shard.hidden);
    return summed;
}

void grouped_backward(Recipe& recipe, const Shard& shard, spec::Mixer mixer)
{
    row_backward(recipe, shard, "projection", shard.query());
    recipe.gradients_ready(shard.projection_bias ? shard.hidden : 0);
    recipe.adapter_backward(shard.query(), shard.hidden);
    if (shard.attention_gate) {
        recipe.streaming("attention gate backward", gate_bytes(shard, 5));
    }
    recipe.attention(kBackward, mixer);
    recipe.gradients_ready(shard.attention_sinks ? shard.heads : 0);
    position_backward(recipe, shard);
    recipe.adapter_backward(shard.hidden, shard.attention_inputs());
    recipe.cast(shard.tokens * shard.attention_inputs());
    const auto qkv = column_backward(recipe, shard, "qkv", shard.attention_inputs());
    recipe.gradients_ready(shard.qkv_bias ? shard.qkv() : 0);
    norm_backward(recipe, shard, qkv.reduced);
}

/// Megatron keeps the narrow projections whole on every rank, on its own tokens, and gathers the
/// narrow vectors in place of the hidden state.
int latent_forward(Recipe& recipe, const Shard& shard, spec::Mixer mixer)
{
    const auto& latent = shard.latent;
    const auto shared = latent.key_value_rank + latent.rotary_dim;
    const auto narrow = latent.query_rank + latent.key_value_rank;
    recipe.gemm("latent down", {shard.local_tokens, latent.query_rank + shared, shard.hidden});
    recipe.streaming("latent norm", 2 * shard.element * shard.local_tokens * narrow);
    const int gathered = recipe.gather("latent gather", latent.query_rank + shared);
    if (latent.query_rank > 0) {
        recipe.gemm("query up", {shard.tokens, shard.latent_query(), latent.query_rank}, gathered);
    } else {
        recipe.gathered_gemm("query", {shard.tokens, shard.latent_query(), shard.hidden},
                             "query gather");
    }
    recipe.gemm("key and value up", {shard.tokens, shard.latent_key_value(), latent.key_value_rank},
                gathered);
    recipe.streaming("rotary", 2 * shard.element * shard.tokens * 2 * shard.latent_query());
    recipe.attention(!kBackward, mixer);
    recipe.cast(shard.tokens * shard.latent_value());
    return recipe.reduced_gemm("projection", {shard.tokens, shard.hidden, shard.latent_value()},
                               "projection reduce");
}

void latent_backward(Recipe& recipe, const Shard& shard, spec::Mixer mixer)
{
    const auto& latent = shard.latent;
    const auto shared = latent.key_value_rank + latent.rotary_dim;
    const auto narrow = latent.query_rank + latent.key_value_rank;
    row_backward(recipe, shard, "projection", shard.latent_value());
    recipe.attention(kBackward, mixer);
    recipe.streaming("rotary backward",
                     2 * shard.element * shard.tokens * 2 * shard.latent_query());
    recipe.gemm("key and value up dgrad",
                {shard.tokens, latent.key_value_rank, shard.latent_key_value()});
    recipe.weight_gradient("key and value up wgrad",
                           {latent.key_value_rank, shard.latent_key_value(), shard.tokens});
    const auto query_input = latent.query_rank > 0 ? latent.query_rank : shard.hidden;
    recipe.gemm("query up dgrad", {shard.tokens, query_input, shard.latent_query()});
    const int reduced = latent.query_rank > 0
                            ? recipe.reduce("latent gradient reduce", latent.query_rank + shared)
                            : recipe.reduce("query gradient reduce");
    recipe.weight_gradient("query up wgrad", {query_input, shard.latent_query(), shard.tokens});
    recipe.streaming("latent norm backward", 4 * shard.element * shard.local_tokens * narrow,
                     reduced);
    recipe.gradients_ready(narrow);
    const auto down = latent.query_rank + shared;
    recipe.gemm("latent down dgrad", {shard.local_tokens, shard.hidden, down});
    recipe.weight_gradient("latent down wgrad", {down, shard.hidden, shard.local_tokens});
    norm_backward(recipe, shard, kNothing);
}

/// FLOPs of the rule for a token and a value head: products inside a chunk of kChunk tokens, and
/// three with the state. sim/workload/layers.md derives them.
double delta_flops(const LinearShard& linear)
{
    const auto key = static_cast<double>(linear.key_dim);
    const auto value = static_cast<double>(linear.value_dim);
    return 2.0 * kChunk * (3 * key + 2 * value) + 6 * key * value;
}

/// As products of a chunk with what makes up these FLOPs.
void delta_rule(Recipe& recipe, const Shard& shard, const char* label, double times)
{
    const auto& linear = shard.linear;
    const auto per_token = times * delta_flops(linear);
    const auto depth =
        static_cast<std::int64_t>(per_token / (2 * static_cast<double>(linear.value_dim)));
    const auto chunks = (shard.tokens + kChunk - 1) / kChunk;
    recipe.grouped_gemm(label, {kChunk, linear.value_dim, depth}, chunks * linear.value_heads);
}

int linear_forward(Recipe& recipe, const Shard& shard)
{
    const auto& linear = shard.linear;
    recipe.gathered_gemm("linear attention in", {shard.tokens, linear.inputs(), shard.hidden},
                         "linear attention gather");
    recipe.streaming("convolution", 2 * shard.element * shard.tokens * linear.convolved());
    delta_rule(recipe, shard, "delta rule", 1);
    recipe.streaming("gated norm", 3 * shard.element * shard.tokens * linear.values());
    return recipe.reduced_gemm("projection", {shard.tokens, shard.hidden, linear.values()},
                               "projection reduce");
}

/// The backward pass of the rule does the forward's products again and two for each.
void linear_backward(Recipe& recipe, const Shard& shard)
{
    const auto& linear = shard.linear;
    row_backward(recipe, shard, "projection", linear.values());
    recipe.streaming("gated norm backward", 5 * shard.element * shard.tokens * linear.values());
    recipe.gradients_ready(linear.value_dim);
    delta_rule(recipe, shard, "delta rule backward", 3);
    recipe.gradients_ready(2 * linear.value_heads);
    recipe.streaming("convolution backward", 4 * shard.element * shard.tokens * linear.convolved());
    recipe.gradients_ready(linear.kernel * linear.convolved());
    const auto in = column_backward(recipe, shard, "linear attention in", linear.inputs());
    norm_backward(recipe, shard, in.reduced);
}

}  // namespace

int mixer_forward(Recipe& recipe, const Shard& shard, spec::Mixer mixer)
{
    if (mixer == spec::Mixer::linear) {
        return linear_forward(recipe, shard);
    }
    return shard.has_latent ? latent_forward(recipe, shard, mixer)
                            : grouped_forward(recipe, shard, mixer);
}

void mixer_backward(Recipe& recipe, const Shard& shard, spec::Mixer mixer)
{
    if (mixer == spec::Mixer::linear) {
        linear_backward(recipe, shard);
    } else if (shard.has_latent) {
        latent_backward(recipe, shard, mixer);
    } else {
        grouped_backward(recipe, shard, mixer);
    }
}

}  // namespace sim::workload
