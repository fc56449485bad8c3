#include "workload/layer_operations.hpp"

#include "workload/matrix_operations.hpp"
#include "workload/mixer_operations.hpp"
#include "workload/mlp_operations.hpp"

namespace sim::workload
{

namespace
{

constexpr int kNormsAfter = 4;  ///< Gemma 2 and 3 have one behind each half as well

/// The output projection is not narrowed.
Shard in_sixteen_bits(Shard shard)
{
    if (spec::element_bytes(shard.precision) < 2) {
        shard.precision = spec::Precision::bf16;
    }
    return shard;
}

void post_norm(Recipe& recipe, const Shard& shard, int& after)
{
    if (shard.norms >= kNormsAfter) {
        recipe.streaming("norm behind", hidden_bytes(shard, 2), after);
        after = kNothing;
    }
}

/// Before the half that the residual's gradient went round.
void post_norm_backward(Recipe& recipe, const Shard& shard)
{
    if (shard.norms >= kNormsAfter) {
        recipe.streaming("norm behind backward", hidden_bytes(shard, 3));
        recipe.gradients_ready(shard.norm);
    }
}

/// Masks the gradient that goes into a half: read and written, with the mask.
void dropout_backward(Recipe& recipe, const Shard& shard)
{
    if (shard.dropout) {
        recipe.streaming("dropout backward", hidden_bytes(shard, 2) + mask_bytes(shard));
    }
}

void mlp_half_forward(Recipe& recipe, const Shard& shard, bool experts, int travelled)
{
    int summed = experts ? experts_forward(recipe, shard, travelled) : mlp_forward(recipe, shard);
    post_norm(recipe, shard, summed);
    recipe.streaming("residual", hidden_bytes(shard, 3) + mask_bytes(shard), summed);
}

/// Everything of a layer but its norms.
std::int64_t matrices(const Shard& shard, spec::LayerKind kind)
{
    return layer_parameters(shard, kind) - shard.norms * shard.norm +
           expert_parameters(shard, kind);
}

}  // namespace

Recipe layer_forward(const Shard& shard, spec::LayerKind kind, bool recomputed)
{
    Recipe recipe{shard, recomputed};
    recipe.widen_weights(matrices(shard, kind));
    const int travelled = begin_exchanges(recipe, kind);
    recipe.streaming("norm", hidden_bytes(shard, 2));
    if (shard.parallel && shard.norms > 1) {
        recipe.streaming("norm", hidden_bytes(shard, 2));
    }
    int summed = mixer_forward(recipe, shard, kind.mixer);
    if (!shard.parallel) {
        post_norm(recipe, shard, summed);
        recipe.streaming("residual and norm", hidden_bytes(shard, 4) + mask_bytes(shard), summed);
    }
    mlp_half_forward(recipe, shard, kind.experts, travelled);
    return recipe;
}

Recipe layer_backward(const Shard& shard, spec::LayerKind kind)
{
    Recipe recipe{shard};
    recipe.widen_weights(matrices(shard, kind));
    const int travelled = begin_exchanges(recipe, kind);
    dropout_backward(recipe, shard);
    post_norm_backward(recipe, shard);
    if (kind.experts) {
        experts_backward(recipe, shard, travelled);
    } else {
        mlp_backward(recipe, shard);
    }
    dropout_backward(recipe, shard);
    post_norm_backward(recipe, shard);
    mixer_backward(recipe, shard, kind.mixer);
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
    if (shard.frozen()) {
        return recipe;
    }
    const int gathered = recipe.gather("embedding gradient gather");
    const auto read = shard.element * shard.tokens * shard.hidden;
    const auto accumulated = 2 * shard.gradient * shard.tokens * shard.hidden / shard.tensor;
    recipe.streaming("embedding backward", read + accumulated, gathered);
    recipe.mark_of_weights();
    recipe.gradients_ready((shard.vocab + shard.positions) * shard.hidden);
    return recipe;
}

Recipe head_forward(const Shard& shard)
{
    Recipe recipe{in_sixteen_bits(shard)};
    recipe.streaming("norm", hidden_bytes(shard, 2));
    const int gathered = recipe.gather("head gather");
    recipe.gemm("head", {shard.tokens, shard.vocab, shard.hidden}, gathered);
    recipe.align_rows(shard.vocab);

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

Recipe head_backward(const Shard& whole, HeadWeight weight)
{
    auto shard = in_sixteen_bits(whole);
    shard.frozen_matrices = weight == HeadWeight::frozen;
    Recipe recipe{shard};
    recipe.streaming(kFirstOfBackward, (4 + shard.element) * shard.tokens * shard.vocab);
    const auto head = column_backward(recipe, shard, "head", shard.vocab);
    recipe.align_rows(shard.vocab);
    norm_backward(recipe, shard, head.reduced);
    recipe.gradients_ready(shard.head_bias ? shard.vocab : 0);
    if (weight == HeadWeight::of_embedding) {
        recipe.gradients_not_ready(head.weight);
    }
    return recipe;
}

}  // namespace sim::workload
