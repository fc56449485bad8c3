#include "workload/mlp_operations.hpp"

#include "workload/matrix_operations.hpp"

namespace sim::workload
{

namespace
{

/// The function between the matrices reads what `up` wrote and writes what `down` reads; backward
/// it reads the inputs again and the gradient, and writes the inputs' gradient.
void activation(Recipe& recipe, const char* label, std::int64_t elements)
{
    recipe.streaming(label, recipe.shard().element * elements);
}

/// A matrix pair that is cut over the tensor group, `ffn` wide on this rank.
struct Mlp {
    const char* up;
    const char* down;
    std::int64_t up_width;
    std::int64_t ffn;
    bool bias;
    bool adapted;
};

Mlp dense(const Shard& shard)
{
    return {"up", "down", shard.up(), shard.ffn, shard.mlp_bias, shard.adapter_mlp};
}

Mlp shared(const Shard& shard)
{
    const auto& experts = shard.experts;
    return {"shared up", "shared down", experts.shared_up, experts.shared_ffn, experts.bias, false};
}

void up_forward(Recipe& recipe, const Mlp& mlp)
{
    const auto& shard = recipe.shard();
    const std::string up = mlp.up;
    const GemmShape shape{shard.tokens, mlp.up_width, shard.hidden};
    if (shard.parallel) {
        recipe.gemm(up, shape);
    } else {
        recipe.gathered_gemm(up, shape, up + " gather");
    }
    if (mlp.adapted) {
        recipe.adapter_forward(shard.hidden, mlp.up_width);
    }
    activation(recipe, "activation", shard.tokens * (mlp.up_width + mlp.ffn));
}

int down_forward(Recipe& recipe, const Mlp& mlp)
{
    const auto& shard = recipe.shard();
    const std::string down = mlp.down;
    const int summed =
        recipe.reduced_gemm(down, {shard.tokens, shard.hidden, mlp.ffn}, down + " reduce");
    if (mlp.adapted) {
        recipe.adapter_forward(mlp.ffn, shard.hidden);
    }
    return summed;
}

int forward(Recipe& recipe, const Mlp& mlp)
{
    up_forward(recipe, mlp);
    return down_forward(recipe, mlp);
}

void down_backward(Recipe& recipe, const Mlp& mlp)
{
    const auto& shard = recipe.shard();
    row_backward(recipe, shard, mlp.down, mlp.ffn);
    recipe.gradients_ready(mlp.bias ? shard.hidden : 0);
    if (mlp.adapted) {
        recipe.adapter_backward(mlp.ffn, shard.hidden);
    }
    activation(recipe, "activation backward", shard.tokens * (2 * mlp.up_width + mlp.ffn));
}

/// Returns the sum of the input's gradient.
int up_backward(Recipe& recipe, const Mlp& mlp)
{
    const auto& shard = recipe.shard();
    if (mlp.adapted) {
        recipe.adapter_backward(shard.hidden, mlp.up_width);
    }
    const auto up = column_backward(recipe, shard, mlp.up, mlp.up_width);
    recipe.gradients_ready(mlp.bias ? mlp.up_width : 0);
    return up.reduced;
}

int backward(Recipe& recipe, const Mlp& mlp)
{
    down_backward(recipe, mlp);
    return up_backward(recipe, mlp);
}

Bytes tokens_bytes(const Shard& shard, std::int64_t tokens)
{
    return Bytes::of(shard.element * tokens * shard.hidden);
}

/// Tokens to the ranks of their experts. Back, `reversed`, what was gathered is summed.
int travel(Recipe& recipe, const char* label, bool reversed)
{
    const auto& shard = recipe.shard();
    const auto& experts = shard.experts;
    const auto cut = tokens_bytes(shard, experts.tensor * experts.sent);
    const auto whole = reversed ? CollectiveKind::reduce_scatter : CollectiveKind::all_gather;
    const std::string text = label;
    if (reversed) {
        recipe.exchange(text + " scatter", whole, Slot::expert_tensor, cut);
    }
    const int moved = experts.gathers
                          ? recipe.exchange(text, whole, Slot::expert,
                                            tokens_bytes(shard, experts.ranks * shard.local_tokens))
                          : recipe.exchange(text, CollectiveKind::all_to_all, Slot::expert,
                                            tokens_bytes(shard, experts.copies));
    if (reversed) {
        return moved;
    }
    const int gathered = recipe.exchange(text + " gather", whole, Slot::expert_tensor, cut);
    return gathered == kNothing ? moved : gathered;
}

int exchange(Recipe& recipe, const char* label, bool reversed)
{
    return recipe.shard().experts.hidden ? kNothing : travel(recipe, label, reversed);
}

void router_forward(Recipe& recipe, const Shard& shard)
{
    const auto& experts = shard.experts;
    recipe.gemm("router", {shard.local_tokens, experts.all, shard.hidden});
    // Scores in fp32: written, read by softmax and top-k, probabilities and the map written.
    recipe.streaming("routing", 4 * 4 * shard.local_tokens * experts.all);
    recipe.streaming("permute", shard.element * shard.hidden * (shard.local_tokens + experts.sent));
}

void shared_gate_forward(Recipe& recipe, const Shard& shard, int after)
{
    if (shard.experts.shared_gate) {
        recipe.streaming("shared gate", hidden_bytes(shard, 3), after);
    }
}

void router_backward(Recipe& recipe, const Shard& shard, int after)
{
    const auto& experts = shard.experts;
    recipe.streaming("permute backward",
                     shard.element * shard.hidden * (shard.local_tokens + experts.sent), after);
    recipe.streaming("routing backward", 4 * 4 * shard.local_tokens * experts.all);
    recipe.gemm("router dgrad", {shard.local_tokens, shard.hidden, experts.all});
    recipe.weight_gradient("router wgrad", {experts.all, shard.hidden, shard.local_tokens});
    recipe.gradients_ready(experts.router_bias ? experts.all : 0);
}

}  // namespace

int mlp_forward(Recipe& recipe, const Shard& shard) { return forward(recipe, dense(shard)); }

void mlp_backward(Recipe& recipe, const Shard& shard)
{
    const int reduced = backward(recipe, dense(shard));
    if (!shard.parallel || shard.norms > 1) {
        norm_backward(recipe, shard, reduced);
    }
}

int begin_exchanges(Recipe& recipe, spec::LayerKind kind)
{
    if (!kind.experts || !recipe.shard().experts.hidden) {
        return kNothing;
    }
    travel(recipe, "dispatch", false);
    return travel(recipe, "combine", true);
}

int experts_forward(Recipe& recipe, const Shard& shard, int travelled)
{
    const auto& experts = shard.experts;
    const bool has_shared = experts.shared_ffn > 0;
    const bool overlaps = has_shared && shard.overlap_shared_experts;
    router_forward(recipe, shard);
    int shared_sum = kNothing;
    if (has_shared && !overlaps) {
        shared_sum = forward(recipe, shared(shard));
        shared_gate_forward(recipe, shard, shared_sum);
    }
    const int arrived = exchange(recipe, "dispatch", false);
    if (overlaps) {
        up_forward(recipe, shared(shard));
    }
    // What arrived is narrowed expert by expert, by kernels of their own.
    recipe.cast(experts.tokens * shard.hidden);
    recipe.grouped_gemm("experts up", {experts.each(), experts.up, shard.hidden}, experts.held,
                        arrived);
    activation(recipe, "experts activation", experts.tokens * (experts.up + experts.ffn));
    recipe.cast(experts.tokens * experts.ffn);
    recipe.grouped_gemm("experts down", {experts.each(), shard.hidden, experts.ffn}, experts.held);
    // The groups' collectives run one after another, so the last one ends last.
    const int combined = exchange(recipe, "combine", true);
    if (overlaps) {
        shared_sum = down_forward(recipe, shared(shard));
        shared_gate_forward(recipe, shard, shared_sum);
    }
    const int own = combined == kNothing ? shared_sum : combined;
    const int back = own == kNothing ? travelled : own;
    recipe.streaming("unpermute",
                     shard.element * shard.hidden * (experts.sent + shard.local_tokens), back);
    return overlaps ? shared_sum : kNothing;
}

void experts_backward(Recipe& recipe, const Shard& shard, int travelled)
{
    const auto& experts = shard.experts;
    const bool has_shared = experts.shared_ffn > 0;
    const bool overlaps = has_shared && shard.overlap_shared_experts;
    recipe.streaming("unpermute backward",
                     shard.element * shard.hidden * (2 * experts.sent + shard.local_tokens));
    const int arrived = exchange(recipe, "combine backward", false);
    if (overlaps) {
        down_backward(recipe, shared(shard));
    }
    recipe.cast(experts.tokens * shard.hidden);
    recipe.grouped_gemm("experts down dgrad", {experts.each(), experts.ffn, shard.hidden},
                        experts.held, arrived);
    recipe.expert_gradient("experts down wgrad", {experts.ffn, shard.hidden, experts.each()});
    activation(recipe, "experts activation backward",
               experts.tokens * (2 * experts.up + experts.ffn));
    recipe.cast(experts.tokens * experts.up);
    recipe.grouped_gemm("experts up dgrad", {experts.each(), shard.hidden, experts.up},
                        experts.held);
    recipe.expert_gradient("experts up wgrad", {experts.up, shard.hidden, experts.each()});
    recipe.expert_gradients_ready(experts.bias ? experts.held * (experts.up + shard.hidden) : 0);
    const int back = exchange(recipe, "dispatch backward", true);
    int shared_sum = kNothing;
    if (has_shared) {
        shared_sum =
            overlaps ? up_backward(recipe, shared(shard)) : backward(recipe, shared(shard));
        recipe.gradients_ready(experts.shared_gate ? shard.hidden : 0);
    }
    router_backward(recipe, shard, back == kNothing ? travelled : back);
    norm_backward(recipe, shard, shared_sum);
}

}  // namespace sim::workload
