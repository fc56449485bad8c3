#include "cli/step_model.hpp"

#include "config/load.hpp"

namespace sim::cli
{
namespace
{

const std::string& file_of(const StepCells& cells)
{
    static const std::string none;
    for (const auto* rule : cells.rules()) {
        if (!rule->model.empty()) {
            return rule->model;
        }
    }
    return none;
}

std::int64_t padded_vocab(const StepCells& cells, std::int64_t vocab)
{
    const auto multiple = cells.count("vocab_multiple", 1);
    return (vocab + multiple - 1) / multiple * multiple;
}

/// Experts as wide as the MLP unless the row says otherwise, in every layer.
void add_experts(const StepCells& cells, spec::ModelSpec& model)
{
    if (cells.text("moe_experts").empty()) {
        return;
    }
    spec::ExpertsSpec experts;
    experts.count = static_cast<int>(cells.count("moe_experts", 0));
    experts.per_token = static_cast<int>(cells.count("moe_topk", 1));
    experts.ffn = cells.count("moe_ffn", model.ffn);
    experts.shared_ffn = cells.count("moe_shared_ffn", 0);
    experts.bias = model.mlp_bias;
    model.experts = experts;
}

/// Sequences packed of documents whose tokens see no other document.
void pack(const StepCells& cells, spec::ModelSpec& model)
{
    if (cells.text("documents").empty()) {
        return;
    }
    model.window = cells.count("documents", 0);
    model.window_in_chunks = true;
    for (int layer = 0; layer < model.layers; ++layer) {
        model.kinds.push_back({spec::Mixer::window, model.experts.has_value()});
    }
}

spec::ModelSpec from_cells(const StepCells& cells)
{
    spec::ModelSpec model;
    model.name = cells.text("model");
    model.hidden = cells.count("hidden", 0);
    model.layers = static_cast<int>(cells.count("layers", 0));
    model.heads = static_cast<int>(cells.count("heads", 0));
    model.kv_heads = static_cast<int>(cells.count("kv_heads", model.heads));
    const auto width = model.heads > 0 ? model.hidden / model.heads : 0;
    model.head_dim = static_cast<int>(cells.count("head_dim", width));
    model.qk_norm = cells.text("qk_norm") == "yes";
    model.ffn = cells.count("ffn", 0);
    model.vocab = padded_vocab(cells, cells.count("vocab", 0));
    model.gated_mlp = cells.text("mlp") != "plain";
    model.tied_embeddings = cells.text("tied") == "yes";
    const auto& biases = cells.text("biases");
    model.qkv_bias = biases == "yes" || biases == "attention";
    model.projection_bias = model.qkv_bias;
    model.mlp_bias = biases == "yes";
    add_experts(cells, model);
    pack(cells, model);
    return model;
}

/// As many layers and words as the row says: proxies of large models have fewer.
spec::ModelSpec adapted(const StepCells& cells, spec::ModelSpec model)
{
    const auto layers = cells.count("layers", model.layers);
    const auto more = model.kinds.empty() ? spec::LayerKind{} : model.kinds.back();
    model.layers = static_cast<int>(layers);
    if (!model.kinds.empty() && layers >= 0) {
        model.kinds.resize(static_cast<std::size_t>(layers), more);
    }
    model.vocab = padded_vocab(cells, cells.count("vocab", model.vocab));
    return model;
}

}  // namespace

bool has_model_file(const StepCells& cells) { return !file_of(cells).empty(); }

spec::ModelSpec StepModels::build(const StepCells& cells)
{
    const auto& file = file_of(cells);
    if (file.empty()) {
        return from_cells(cells);
    }
    auto found = files_.find(file);
    if (found == files_.end()) {
        found = files_.emplace(file, config::load_model(file)).first;
    }
    return adapted(cells, found->second);
}

}  // namespace sim::cli
