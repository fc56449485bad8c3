#include "workload/parameters.hpp"

namespace sim::workload
{

namespace
{

std::int64_t attention_parameters(const spec::ModelSpec& model)
{
    const std::int64_t query = std::int64_t{model.heads} * model.head_dim;
    const std::int64_t key_value = std::int64_t{model.kv_heads} * model.head_dim;
    const std::int64_t matrices = model.hidden * (2 * query + 2 * key_value);
    return matrices + (model.attention_bias ? query + 2 * key_value + model.hidden : 0);
}

std::int64_t mlp_parameters(const spec::ModelSpec& model)
{
    const std::int64_t up = model.gated_mlp ? 2 * model.ffn : model.ffn;
    const std::int64_t matrices = model.hidden * (up + model.ffn);
    return matrices + (model.mlp_bias ? up + model.hidden : 0);
}

}  // namespace

std::int64_t layer_parameters(const spec::ModelSpec& model)
{
    const std::int64_t norms = 2 * model.hidden;
    return attention_parameters(model) + mlp_parameters(model) + norms;
}

std::int64_t embedding_parameters(const spec::ModelSpec& model)
{
    return model.vocab * model.hidden;
}

std::int64_t head_parameters(const spec::ModelSpec& model)
{
    return model.tied_embeddings ? 0 : model.vocab * model.hidden;
}

std::int64_t total_parameters(const spec::ModelSpec& model)
{
    const std::int64_t final_norm = model.hidden;
    return model.layers * layer_parameters(model) + embedding_parameters(model) +
           head_parameters(model) + final_norm;
}

}  // namespace sim::workload
