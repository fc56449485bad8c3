#include "config/model_layers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sim::config
{

namespace
{

using spec::LayerKind;
using spec::Mixer;

constexpr std::pair<const char*, Mixer> kMixers[] = {{"full_attention", Mixer::attention},
                                                     {"sliding_attention", Mixer::window},
                                                     {"chunked_attention", Mixer::window},
                                                     {"linear_attention", Mixer::linear}};

std::optional<Mixer> mixer_of(const std::string& word)
{
    for (const auto& [name, mixer] : kMixers) {
        if (word == name) {
            return mixer;
        }
    }
    return std::nullopt;
}

Names mixer_words()
{
    Names words;
    for (const auto& [name, mixer] : kMixers) {
        words.emplace_back(name);
    }
    return words;
}

void read_layer_types(ModelKeys& keys, spec::ModelSpec& model, const Names& types)
{
    if (types.size() != model.kinds.size()) {
        keys.error(
            "layer_types",
            fmt::format("names {} layers, but num_hidden_layers is {}", types.size(), model.layers),
            "name every layer");
        return;
    }
    for (std::size_t layer = 0; layer < types.size(); ++layer) {
        const auto mixer = mixer_of(types[layer]);
        if (!mixer) {
            keys.error("layer_types", fmt::format("\"{}\" is not modelled", types[layer]),
                       fmt::format("known are {}", fmt::join(mixer_words(), ", ")));
            return;
        }
        model.kinds[layer].mixer = *mixer;
    }
}

/// Every `interval`-th layer sees all tokens, the others are `other`.
void but_last_of(spec::ModelSpec& model, std::int64_t interval, Mixer other)
{
    for (std::size_t layer = 0; layer < model.kinds.size(); ++layer) {
        const bool last = (static_cast<std::int64_t>(layer) + 1) % interval == 0;
        model.kinds[layer].mixer = last ? Mixer::attention : other;
    }
}

void from(spec::ModelSpec& model, std::int64_t first, std::int64_t step)
{
    for (auto layer = static_cast<std::size_t>(first); layer < model.kinds.size();
         layer += static_cast<std::size_t>(step)) {
        model.kinds[layer].mixer = Mixer::window;
    }
}

void read_windows(ModelKeys& keys, const Family& family, spec::ModelSpec& model)
{
    const auto pattern = keys.optional({"sliding_window_pattern"});
    const bool used = keys.flag({"use_sliding_window"}).value_or(family.windows != Windows::upper);
    const auto first = keys.optional({"max_window_layers"});
    if (model.window == 0 || !used) {
        return;
    }
    switch (family.windows) {
        case Windows::none:
            return;
        case Windows::every:
            return from(model, 0, 1);
        case Windows::even:
            return from(model, 0, 2);
        case Windows::but_last_of:
            return but_last_of(model,
                               std::max<std::int64_t>(1, pattern.value_or(family.window_pattern)),
                               Mixer::window);
        case Windows::upper:
            return from(model, first.value_or(0), 1);
    }
}

void read_mixers(ModelKeys& keys, const Family& family, spec::ModelSpec& model)
{
    model.window = keys.optional({"sliding_window", "attention_chunk_size"}).value_or(0);
    model.window_in_chunks = model.window > 0 && keys.has({"attention_chunk_size"});
    const auto interval = keys.optional({"full_attention_interval"});
    const auto types = keys.words("layer_types", mixer_words());
    if (!types.empty()) {
        read_layer_types(keys, model, types);
    } else if (interval && *interval > 0) {
        but_last_of(model, *interval, Mixer::linear);
    } else if (model.window_in_chunks) {
        // Llama 4: every fourth layer has no rotary positions and sees everything.
        constexpr std::int64_t usual = 4;
        const auto period = keys.optional({"no_rope_layer_interval"}).value_or(usual);
        if (period < 1) {
            keys.error("no_rope_layer_interval", "must be at least 1", "1: every layer sees all");
            return;
        }
        but_last_of(model, period, Mixer::window);
    } else {
        read_windows(keys, family, model);
    }
}

/// Where the experts are, by whichever of the publishers' keys is written.
void read_expert_layers(ModelKeys& keys, spec::ModelSpec& model)
{
    const auto dense = keys.optional({"first_k_dense_replace", "n_dense_layers"}).value_or(0);
    const auto every = keys.optional({"moe_layer_freq", "moe_frequency"}).value_or(1);
    const auto step =
        keys.optional({"decoder_sparse_step", "interleave_moe_layer_step"}).value_or(1);
    const auto without = keys.numbers("mlp_only_layers");
    const auto with = keys.numbers("moe_layers");
    if (every < 1 || step < 1) {
        keys.error(keys.written({"moe_layer_freq", "decoder_sparse_step"}), "must be at least 1",
                   "1: every layer has experts");
        return;
    }
    const auto listed = [](const std::vector<std::int64_t>& layers, std::int64_t layer) {
        return std::find(layers.begin(), layers.end(), layer) != layers.end();
    };
    for (std::int64_t layer = 0; layer < model.layers; ++layer) {
        const bool by_rule = layer >= dense && layer % every == 0 && (layer + 1) % step == 0 &&
                             !listed(without, layer);
        const bool has = with.empty() ? by_rule : listed(with, layer);
        model.kinds[static_cast<std::size_t>(layer)].experts = has;
    }
}

}  // namespace

void read_layer_kinds(ModelKeys& keys, const Family& family, spec::ModelSpec& model)
{
    constexpr int most_layers = 100'000;
    if (model.layers < 1 || model.layers > most_layers) {
        keys.error(keys.written({"num_hidden_layers"}),
                   fmt::format("must be between 1 and {}, not {}", most_layers, model.layers), "");
        return;
    }
    model.kinds.assign(static_cast<std::size_t>(model.layers), LayerKind{});
    read_mixers(keys, family, model);
    if (model.experts) {
        read_expert_layers(keys, model);
    }
    const LayerKind plain{Mixer::attention, model.experts.has_value()};
    const bool uniform = std::all_of(model.kinds.begin(), model.kinds.end(),
                                     [&](const LayerKind& kind) { return kind == plain; });
    if (uniform) {
        model.kinds.clear();
    }
}

}  // namespace sim::config
