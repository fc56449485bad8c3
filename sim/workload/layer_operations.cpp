#include "workload/layer_operations.hpp"

namespace sim::workload
{

namespace
{

constexpr bool kBackward = true;

/// Bytes of `passes` reads or writes of the hidden state where norms and residuals see it.
std::int64_t hidden_bytes(const Shard& shard, std::int64_t passes)
{
    return passes * shard.element * shard.local_tokens * shard.hidden;
}

std::int64_t rotary_bytes(const Shard& shard)
{
    const auto rotated = (shard.heads + shard.kv_heads) * shard.head_dim;
    return 2 * shard.element * shard.tokens * rotated;
}

/// The function between the MLP's matrices reads what `up` wrote and writes what `down` reads.
std::int64_t activation_bytes(const Shard& shard)
{
    return shard.element * shard.tokens * (shard.up() + shard.ffn);
}

/// Reads the inputs again and the gradient, writes the inputs' gradient.
std::int64_t activation_backward_bytes(const Shard& shard)
{
    return shard.element * shard.tokens * (2 * shard.up() + shard.ffn);
}

/// The output projection is not narrowed.
Shard in_sixteen_bits(Shard shard)
{
    if (spec::element_bytes(shard.precision) < 2) {
        shard.precision = spec::Precision::bf16;
    }
    return shard;
}

/// A matrix whose rows are cut: its input is `width` wide, its output was reduced.
void row_backward(Recipe& recipe, const Shard& shard, const char* name, std::int64_t width)
{
    const std::string label = name;
    recipe.cast(shard.local_tokens * shard.hidden);
    recipe.gathered_gemm(label + " dgrad", {shard.tokens, width, shard.hidden},
                         label + " gradient gather");
    recipe.weight_gradient(label + " wgrad", {width, shard.hidden, shard.tokens});
}

/// A matrix whose columns are cut, and the norm before it. The input is gathered again under the
/// first GEMM, its gradient reduced under the second. Returns the weight gradient's item.
int column_backward(Recipe& recipe, const Shard& shard, const char* name, std::int64_t width)
{
    const std::string label = name;
    const bool learns = shard.adapter_rank == 0;
    const int input = learns ? recipe.gather(label + " input gather") : kNothing;
    recipe.gemm(label + " dgrad", {shard.tokens, shard.hidden, width});
    const int reduced = recipe.reduce(label + " gradient reduce");
    const bool overlaps = shard.tensor_overlap != spec::TensorOverlap::none;
    const int weight = recipe.weight_gradient(label + " wgrad", {width, shard.hidden, shard.tokens},
                                              overlaps ? input : reduced);
    recipe.streaming("norm backward", hidden_bytes(shard, 4), reduced);
    recipe.gradients_ready(shard.norm);
    return weight;
}

}  // namespace

Recipe layer_forward(const Shard& shard, bool recomputed)
{
    Recipe recipe{shard, recomputed};
    recipe.streaming("norm", hidden_bytes(shard, 2));
    recipe.gathered_gemm("qkv", {shard.tokens, shard.qkv(), shard.hidden}, "qkv gather");
    recipe.adapter_forward(shard.hidden, shard.qkv());
    recipe.streaming("rotary", rotary_bytes(shard));
    recipe.attention(!kBackward);
    recipe.cast(shard.tokens * shard.query());
    int reduced = recipe.reduced_gemm("projection", {shard.tokens, shard.hidden, shard.query()},
                                      "projection reduce");
    recipe.adapter_forward(shard.query(), shard.hidden);
    recipe.streaming("residual and norm", hidden_bytes(shard, 4), reduced);
    recipe.gathered_gemm("up", {shard.tokens, shard.up(), shard.hidden}, "up gather");
    recipe.streaming("activation", activation_bytes(shard));
    reduced = recipe.reduced_gemm("down", {shard.tokens, shard.hidden, shard.ffn}, "down reduce");
    recipe.streaming("residual", hidden_bytes(shard, 3), reduced);
    return recipe;
}

Recipe layer_backward(const Shard& shard)
{
    Recipe recipe{shard};
    row_backward(recipe, shard, "down", shard.ffn);
    recipe.gradients_ready(shard.mlp_bias ? shard.hidden : 0);
    recipe.streaming("activation backward", activation_backward_bytes(shard));
    column_backward(recipe, shard, "up", shard.up());
    recipe.gradients_ready(shard.mlp_bias ? shard.up() : 0);

    row_backward(recipe, shard, "projection", shard.query());
    recipe.gradients_ready(shard.projection_bias ? shard.hidden : 0);
    recipe.adapter_backward(shard.query(), shard.hidden);
    recipe.attention(kBackward);
    recipe.streaming("rotary backward", rotary_bytes(shard));
    recipe.adapter_backward(shard.hidden, shard.qkv());
    recipe.cast(shard.tokens * shard.qkv());
    column_backward(recipe, shard, "qkv", shard.qkv());
    recipe.gradients_ready(shard.qkv_bias ? shard.qkv() : 0);
    return recipe;
}

Recipe embedding_forward(const Shard& shard)
{
    Recipe recipe{shard};
    // A rank looks up its share of the words and writes zeros for the others.
    const auto written = shard.tokens * shard.hidden;
    const auto read = written / shard.tensor;
    recipe.streaming("embedding", shard.element * (written + read));
    recipe.reduce("embedding reduce");
    return recipe;
}

Recipe embedding_backward(const Shard& shard)
{
    Recipe recipe{shard};
    if (shard.adapter_rank > 0) {
        return recipe;  // nothing below learns
    }
    const int gathered = recipe.gather("embedding gradient gather");
    const auto read = shard.element * shard.tokens * shard.hidden;
    const auto accumulated = 2 * shard.gradient * shard.tokens * shard.hidden / shard.tensor;
    recipe.streaming("embedding backward", read + accumulated, gathered);
    recipe.gradients_ready(shard.vocab * shard.hidden);
    return recipe;
}

Recipe head_forward(const Shard& shard)
{
    Recipe recipe{in_sixteen_bits(shard)};
    recipe.streaming("norm", hidden_bytes(shard, 2));
    const int gathered = recipe.gather("head gather");
    recipe.gemm("head", {shard.tokens, shard.vocab, shard.hidden}, gathered);

    // Logits are widened to fp32, then shifted by their maximum, exponentiated and normalised.
    const auto logits = shard.tokens * shard.vocab;
    const auto scalars = Bytes::of(4 * shard.tokens);
    recipe.streaming("loss maximum", (shard.element + 4 + 4) * logits);
    const int maximum = recipe.all_reduce("loss maximum", scalars);
    recipe.streaming("loss exponential", (4 + 4) * logits, maximum);
    recipe.all_reduce("loss target", scalars);
    const int sum = recipe.all_reduce("loss sum", scalars);
    recipe.streaming("loss normalise", (4 + 4) * logits, sum);
    return recipe;
}

Recipe head_backward(const Shard& shard, bool owns_weight)
{
    Recipe recipe{in_sixteen_bits(shard)};
    recipe.streaming("loss backward", (4 + shard.element) * shard.tokens * shard.vocab);
    const int weight = column_backward(recipe, shard, "head", shard.vocab);
    if (!owns_weight && weight != kNothing) {
        recipe.gradients_not_ready(weight);
    }
    return recipe;
}

}  // namespace sim::workload
