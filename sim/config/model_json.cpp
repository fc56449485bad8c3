#include "config/model_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "config/model_families.hpp"
#include "config/model_keys.hpp"
#include "config/model_reading.hpp"

namespace sim::config
{

namespace
{

using nlohmann::json;

constexpr const char* kByHand =
    "or describe the model by hand: model: { hidden_size, num_hidden_layers, num_attention_heads, "
    "num_key_value_heads, head_dim, intermediate_size, vocab_size, and what differs from Llama, as "
    "sim/config/README.md lists: gated_mlp, layer_norm, norm_bias, attention_bias, mlp_bias, "
    "qk_norm, learned_positions, tie_word_embeddings, num_experts, num_experts_per_tok, "
    "moe_intermediate_size, ... }";

Mark mark_at(const std::shared_ptr<const Source>& source, std::size_t offset)
{
    const auto begin = source->text.begin();
    const auto at = begin + static_cast<std::ptrdiff_t>(std::min(offset, source->text.size()));
    const auto line = 1 + std::count(begin, at, '\n');
    const auto start = std::find(std::make_reverse_iterator(at), source->text.rend(), '\n').base();
    return {source, static_cast<int>(line), static_cast<int>(at - start) + 1};
}

/// The parser keeps no places; the first spelling of the key after `text_config` is the key.
Mark place_in(const std::shared_ptr<const Source>& source, const std::string& key)
{
    const auto inner = source->text.find("\"text_config\"");
    const auto quoted = '"' + key + '"';
    auto offset = source->text.find(quoted, inner == std::string::npos ? 0 : inner);
    if (offset == std::string::npos) {
        offset = source->text.find(quoted);
    }
    return offset == std::string::npos ? Mark{source, 0, 0} : mark_at(source, offset);
}

json parse_json(const std::shared_ptr<const Source>& source)
{
    try {
        auto object = json::parse(source->text);
        if (!object.is_object()) {
            throw InputError{{diagnostic_at({source, 1, 1}, "", "must be a JSON object", "")}};
        }
        return object;
    } catch (const json::parse_error& problem) {
        const auto offset = problem.byte > 0 ? problem.byte - 1 : 0;
        const std::string words = problem.what();
        const auto reason = words.find("syntax error");
        throw InputError{{diagnostic_at(
            mark_at(source, offset), "",
            reason == std::string::npos ? "not JSON" : "not JSON: " + words.substr(reason), "")}};
    }
}

const Family* family_of(ModelKeys& keys)
{
    const auto known = known_families();
    const auto type = keys.word({"model_type"}, known);
    if (!type && keys.has({"n_routed_experts"}) && keys.has({"dim"})) {
        // The files of DeepSeek's own inference code have no model_type.
        return find_family(keys.word({"score_func"}) == "sigmoid" ? "deepseek_v3" : "deepseek_v2");
    }
    if (!type) {
        keys.error("model_type", "missing",
                   fmt::format("known are {}; {}", fmt::join(known, ", "), kByHand));
        return nullptr;
    }
    const auto* family = find_family(*type);
    if (family == nullptr) {
        keys.error("model_type", fmt::format("\"{}\" is not modelled", *type),
                   fmt::format("known are {}; {}", fmt::join(known, ", "), kByHand));
    }
    return family;
}

std::string model_name(const Source& source)
{
    const std::filesystem::path path{source.name};
    const auto folder = path.parent_path().filename().string();
    return path.filename() == "config.json" && !folder.empty() ? folder : path.stem().string();
}

/// As our own tree; strings keep their quotes, which tells "8" from 8. Nothing that sets a shape
/// stands deeper than a list of a nested configuration.
Node node_of(const json& value, const std::shared_ptr<const Source>& source, const Mark& mark,
             int levels = 3)
{
    if (value.is_null() || levels == 0) {
        return null_node(mark);
    }
    if (!value.is_structured()) {
        return scalar_node(mark, value.dump());
    }
    Node node = mapping_node(mark);
    if (value.is_array()) {
        node.kind = Node::Kind::sequence;
        for (const auto& item : value) {
            node.items.push_back(node_of(item, source, mark, levels - 1));
        }
        return node;
    }
    for (const auto& [key, inner] : value.items()) {
        const auto place = place_in(source, key);
        node.entries.push_back({key, place, node_of(inner, source, place, levels - 1), false, {}});
    }
    return node;
}

}  // namespace

ModelReading read_model(const std::shared_ptr<const Source>& source)
{
    ModelKeys keys{node_of(parse_json(source), source, Mark{source, 0, 0})};
    const auto* family = family_of(keys);
    keys.throw_if_failed();
    auto model = read_shapes(keys, *family);
    model.name = model_name(*source);
    keys.throw_if_failed();
    return {std::move(model), keys.places()};
}

ModelReading read_model(const Node& mapping, const std::string& name, MapOutline* outline)
{
    ModelKeys keys{mapping, outline};
    static_cast<void>(keys.word({"model_type"}, known_families()));
    const auto* family = keys.has({"model_type"}) ? family_of(keys) : &custom_family();
    keys.throw_if_failed();
    auto model = read_shapes(keys, *family);
    model.name = keys.word({"name"}).value_or(name);
    if (family == &custom_family()) {
        keys.finish();
    }
    keys.throw_if_failed();
    return {std::move(model), keys.places()};
}

}  // namespace sim::config
