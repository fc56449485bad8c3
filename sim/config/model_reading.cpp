#include "config/model_reading.hpp"

#include <fmt/format.h>

#include "config/model_layers.hpp"

namespace sim::config
{

namespace
{

const Names kHidden{"hidden_size", "n_embd", "d_model", "dim"};
const Names kLayers{"num_hidden_layers", "n_layer", "n_layers"};
const Names kHeads{"num_attention_heads", "n_head", "n_heads"};
const Names kKvHeads{"num_key_value_heads", "kv_n_heads"};
const Names kDenseFfn{"intermediate_size_mlp", "intermediate_size", "n_inner", "inter_dim"};
const Names kExperts{"num_experts", "num_local_experts", "n_routed_experts", "num_routed_experts",
                     "moe_num_experts"};
const Names kExpertsPerToken{"num_experts_per_tok", "n_activated_experts", "moe_top_k",
                             "num_experts_per_token"};
const Names kExpertFfn{"moe_intermediate_size", "moe_inter_dim", "ffn_hidden_size"};
const Names kSharedExperts{"n_shared_experts", "num_shared_experts"};

class ShapeReader
{
public:
    ShapeReader(ModelKeys& keys, const Family& family) : keys_{keys}, family_{family} {}

    spec::ModelSpec read()
    {
        read_sizes();
        read_habits();
        read_latent();
        read_linear();
        read_head_dim();
        read_experts();
        read_layer_kinds(keys_, family_, model_);
        read_dense_width();
        return std::move(model_);
    }

private:
    std::int64_t number(const Names& names, std::int64_t otherwise)
    {
        return otherwise > 0 ? keys_.optional(names).value_or(otherwise) : keys_.required(names);
    }

    bool flag(const Names& names, bool otherwise) { return keys_.flag(names).value_or(otherwise); }

    void read_sizes()
    {
        model_.hidden = keys_.required(kHidden);
        model_.layers = static_cast<int>(keys_.required(kLayers));
        model_.heads = static_cast<int>(number(kHeads, family_.heads));
        const auto kv_heads = keys_.optional(kKvHeads);
        model_.kv_heads = static_cast<int>(
            kv_heads.value_or(family_.kv_heads > 0 ? family_.kv_heads : model_.heads));
        model_.vocab = number({"vocab_size"}, family_.vocab);
        const Names positions{"learned_positions", "n_positions", "max_position_embeddings"};
        if (family_.learned_positions) {
            model_.positions = keys_.required({positions[1], positions[2]});
        } else {
            model_.positions = keys_.optional({positions[0]}).value_or(0);
        }
    }

    /// Everything that is there or not.
    void read_habits()
    {
        model_.gated_mlp = flag({"gated_mlp"}, family_.gated_mlp);
        model_.tied_embeddings = flag({"tie_word_embeddings"}, family_.tied_embeddings);
        const auto attention_bias = keys_.flag({"attention_bias", "bias"});
        model_.qkv_bias = flag({"qkv_bias"}, attention_bias.value_or(family_.qkv_bias));
        model_.projection_bias =
            flag({"projection_bias"}, attention_bias.value_or(family_.projection_bias));
        model_.mlp_bias = flag({"mlp_bias"}, family_.mlp_bias);
        model_.head_bias = flag({"lm_head_bias"}, family_.head_bias);
        model_.layer_norm = flag({"layer_norm"}, family_.layer_norm);
        model_.norm_bias = flag({"norm_bias"}, family_.norm_bias);
        model_.layer_norms =
            static_cast<int>(keys_.optional({"layer_norms"}).value_or(family_.layer_norms));
        model_.qk_norm = flag({"qk_norm", "use_qk_norm", "qk_layernorm"}, family_.qk_norm);
        // Llama 4 normalises queries and keys without weights.
        model_.qk_norm = model_.qk_norm && family_.type.substr(0, 6) != "llama4";
        model_.attention_gate = flag({"attention_gate"}, family_.attention_gate);
        model_.attention_sinks = flag({"attention_sinks"}, family_.attention_sinks);
        model_.parallel = flag({"parallel", "use_parallel_residual"}, family_.parallel);
    }

    void read_latent()
    {
        const auto query_rank = keys_.optional({"q_lora_rank"});
        const auto key_value_rank = keys_.optional({"kv_lora_rank"});
        if (!key_value_rank && family_.type.substr(0, 9) != "deepseek_") {
            return;
        }
        auto& latent = model_.latent.emplace();
        latent.query_rank = query_rank.value_or(0);
        latent.key_value_rank = keys_.required({"kv_lora_rank"});
        latent.plain_dim = keys_.required({"qk_nope_head_dim"});
        latent.rotary_dim = keys_.required({"qk_rope_head_dim"});
        latent.value_dim = keys_.required({"v_head_dim"});
    }

    void read_linear()
    {
        if (!keys_.has({"linear_num_value_heads"}) && family_.type != "qwen3_next") {
            return;
        }
        auto& linear = model_.linear.emplace();
        linear.key_heads = keys_.required({"linear_num_key_heads"});
        linear.value_heads = keys_.required({"linear_num_value_heads"});
        linear.key_dim = keys_.required({"linear_key_head_dim"});
        linear.value_dim = keys_.required({"linear_value_head_dim"});
        linear.kernel = keys_.required({"linear_conv_kernel_dim"});
    }

    void read_head_dim()
    {
        const auto written = keys_.optional({"head_dim"});
        if (model_.latent) {
            model_.head_dim =
                static_cast<int>(model_.latent->plain_dim + model_.latent->rotary_dim);
        } else if (written || family_.head_dim > 0) {
            model_.head_dim = static_cast<int>(written.value_or(family_.head_dim));
        } else if (model_.heads > 0) {
            if (model_.hidden % model_.heads != 0) {
                keys_.error(keys_.written(kHeads),
                            fmt::format("{} heads do not divide {} {}", model_.heads,
                                        keys_.written(kHidden), model_.hidden),
                            "give head_dim when heads are not hidden_size / num_attention_heads "
                            "wide");
            }
            model_.head_dim = static_cast<int>(model_.hidden / model_.heads);
        }
    }

    void read_experts()
    {
        const auto count =
            family_.experts ? keys_.required(kExperts) : keys_.optional(kExperts).value_or(0);
        if (count == 0) {
            return;
        }
        auto& experts = model_.experts.emplace();
        experts.count = static_cast<int>(count);
        experts.per_token = static_cast<int>(keys_.required(kExpertsPerToken));
        experts.ffn = keys_.required(family_.expert_ffn_is_intermediate
                                         ? Names{"moe_intermediate_size", "intermediate_size"}
                                         : kExpertFfn);
        const auto number_shared = keys_.optional(kSharedExperts).value_or(0);
        experts.shared_ffn =
            keys_.optional({"shared_expert_intermediate_size"})
                .value_or(family_.shared_ffn_is_intermediate ? experts.ffn
                                                             : number_shared * experts.ffn);
        experts.shared_gate =
            experts.shared_ffn > 0 && flag({"shared_expert_gate"}, family_.shared_gate);
        experts.router_bias = flag({"router_bias"}, family_.router_bias);
        experts.bias = flag({"expert_bias"}, family_.expert_bias);
    }

    /// Only where a layer has the dense MLP; several publishers derive it.
    void read_dense_width()
    {
        const auto ratio = keys_.optional({"expansion_ratio"});
        const auto written = keys_.optional(kDenseFfn);
        bool dense = !model_.experts;
        for (const auto& kind : model_.kinds) {
            dense = dense || !kind.experts;
        }
        const bool four_times = family_.learned_positions || family_.type == "mpt";
        if (written) {
            model_.ffn = *written;
        } else if (dense && four_times) {
            model_.ffn = ratio.value_or(4) * model_.hidden;
        } else if (dense) {
            model_.ffn = keys_.required({"intermediate_size"});
        }
    }

    ModelKeys& keys_;
    const Family& family_;
    spec::ModelSpec model_;
};

}  // namespace

spec::ModelSpec read_shapes(ModelKeys& keys, const Family& family)
{
    return ShapeReader{keys, family}.read();
}

}  // namespace sim::config
