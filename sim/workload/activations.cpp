#include "workload/activations.hpp"

#include <algorithm>

namespace sim::workload
{

namespace
{

/// What each mixer keeps of a token besides the hidden states around it, in elements.
std::int64_t mixer_elements(const Shard& shard, spec::Mixer mixer)
{
    if (mixer == spec::Mixer::linear) {
        // What the convolution takes and makes, the gate, the rule's output.
        return 2 * shard.linear.convolved() + 2 * shard.linear.values();
    }
    if (shard.has_latent) {
        return shard.attention_touches();
    }
    const auto gated = shard.attention_gate ? 2 * shard.query() : 0;  // the gate and its product
    const auto normed = shard.qk_norm ? (shard.heads + shard.kv_heads) * shard.head_dim : 0;
    return shard.attention_touches() + gated + normed;
}

/// Narrow vectors before and after their norms, whole on every rank.
std::int64_t latent_elements(const Shard& shard)
{
    const auto& latent = shard.latent;
    return 2 * (latent.query_rank + latent.key_value_rank) + latent.rotary_dim;
}

/// What unfused attention keeps of each score unless it is recomputed: the softmax, dropout's mask
/// and its output. With 16 bits this is the 5 a s / h of Korthikanti et al.
std::int64_t kept_scores(const Shard& shard)
{
    return (2 * shard.element + 1) * shard.heads * shard.tokens * shard.sequence;
}

/// Probabilities in fp32 for every expert, tokens as they arrive, what each expert makes of them,
/// and what comes back.
std::int64_t expert_bytes(const Shard& shard)
{
    const auto& experts = shard.experts;
    const auto inside = experts.tokens * (shard.hidden + experts.up + experts.ffn);
    const auto shared = shard.tokens * (experts.shared_up + experts.shared_ffn);
    return 4 * shard.local_tokens * experts.all +
           shard.element * (inside + experts.sent * shard.hidden + shared);
}

/// Inputs of norms and of the first matrix of each half.
std::int64_t around(const Shard& shard)
{
    const std::int64_t inputs = shard.parallel && shard.norms < 2 ? 1 : 2;
    return shard.element * shard.local_tokens * shard.hidden * (shard.norms + inputs);
}

}  // namespace

ActivationKinds activation_kinds(const Shard& shard, spec::LayerKind kind,
                                 spec::Recompute recompute)
{
    const auto state = shard.local_tokens * shard.hidden;
    ActivationKinds kept;
    if (recompute == spec::Recompute::full) {
        kept.inputs = Bytes::of(shard.element * state);
        return kept;
    }
    kept.inputs = Bytes::of(around(shard));
    kept.masks = Bytes::of(shard.dropout ? 2 * state : 0);
    const bool latent = shard.has_latent && kind.mixer != spec::Mixer::linear;
    kept.mixer =
        Bytes::of(shard.element * (shard.tokens * mixer_elements(shard, kind.mixer) +
                                   (latent ? shard.local_tokens * latent_elements(shard) : 0)));
    if (kind.experts) {
        kept.experts = Bytes::of(expert_bytes(shard));
    } else {
        kept.mlp = Bytes::of(shard.element * shard.tokens * (shard.up() + shard.ffn));
    }
    const bool scores =
        shard.attention == spec::AttentionLibrary::unfused && recompute == spec::Recompute::none;
    kept.scores = Bytes::of(scores ? kept_scores(shard) : 0);
    return kept;
}

Bytes layer_activations(const Shard& shard, spec::LayerKind kind, spec::Recompute recompute)
{
    return activation_kinds(shard, kind, recompute).total();
}

Bytes embedding_activations(const Shard& shard)
{
    return Bytes::of(shard.dropout ? shard.local_tokens * shard.hidden : 0);
}

Bytes layer_temporary(const Shard& shard, spec::LayerKind kind)
{
    const auto& experts = shard.experts;
    const auto inside = kind.experts
                            ? experts.tokens * (2 * shard.hidden + experts.up + experts.ffn)
                            : shard.tokens * (shard.up() + shard.ffn);
    return Bytes::of(shard.element * (2 * shard.tokens * shard.hidden + inside));
}

Bytes head_temporary(const Shard& shard)
{
    return Bytes::of(shard.tokens *
                     ((4 + shard.element) * shard.vocab + shard.element * shard.hidden));
}

}  // namespace sim::workload
