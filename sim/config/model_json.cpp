#include "config/model_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sim::config
{

namespace
{

using nlohmann::json;

/// What a model_type says without a key of its own.
struct Family {
    const char* type;
    const char* attention_bias_key;
};

/// Dense decoders with RMSNorm, rotary embeddings and a gated MLP of three matrices.
constexpr Family kFamilies[] = {
    {"internlm", "bias"},
    {"llama", "attention_bias"},
    {"mistral", "attention_bias"},
};

Mark mark_at(const std::shared_ptr<const Source>& source, std::size_t offset)
{
    const auto begin = source->text.begin();
    const auto at = begin + static_cast<std::ptrdiff_t>(std::min(offset, source->text.size()));
    const auto line = 1 + std::count(begin, at, '\n');
    const auto start = std::find(std::make_reverse_iterator(at), source->text.rend(), '\n').base();
    return {source, static_cast<int>(line), static_cast<int>(at - start) + 1};
}

/// The object's keys with their types checked.
class JsonReader
{
public:
    JsonReader(const std::shared_ptr<const Source>& source, const json& object)
        : source_{source}, object_{object}
    {
    }

    void error(const std::string& key, const std::string& message, const std::string& hint)
    {
        diagnostics_.push_back(diagnostic_at(place(key), key, message, hint));
    }

    [[nodiscard]] const json* find(const std::string& key) const
    {
        const auto found = object_.find(key);
        return found == object_.end() || found->is_null() ? nullptr : &*found;
    }

    std::int64_t required(const std::string& key)
    {
        if (find(key) == nullptr) {
            error(key, "missing", fmt::format("a config.json has \"{}\": a number", key));
            return 0;
        }
        return optional(key).value_or(0);
    }

    std::optional<std::int64_t> optional(const std::string& key)
    {
        const auto* value = find(key);
        if (value == nullptr) {
            return std::nullopt;
        }
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        if (!value->is_number_integer() || *value < 0 || *value > most) {
            error(key, fmt::format("must be a whole number up to {}, not {}", most, value->dump()),
                  "");
            return std::nullopt;
        }
        return value->get<std::int64_t>();
    }

    bool flag(const std::string& key)
    {
        const auto* value = find(key);
        if (value != nullptr && !value->is_boolean()) {
            error(key, "must be true or false, not " + value->dump(), "");
            return false;
        }
        return value != nullptr && value->get<bool>();
    }

    [[nodiscard]] std::map<std::string, Mark> places() const
    {
        std::map<std::string, Mark> places;
        for (const auto& [key, value] : object_.items()) {
            places[key] = place(key);
        }
        return places;
    }

    void throw_if_failed() const
    {
        if (!diagnostics_.empty()) {
            throw InputError{diagnostics_};
        }
    }

private:
    /// The parser keeps no places; the first spelling of the key is the key in a flat object.
    [[nodiscard]] Mark place(const std::string& key) const
    {
        const auto offset = source_->text.find('"' + key + '"');
        return offset == std::string::npos ? Mark{source_, 0, 0} : mark_at(source_, offset);
    }

    const std::shared_ptr<const Source>& source_;
    const json& object_;
    Diagnostics diagnostics_;
};

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

const Family* family_of(JsonReader& reader)
{
    std::string known;
    for (const auto& family : kFamilies) {
        known += (known.empty() ? "" : ", ") + std::string{family.type};
    }
    const auto* type = reader.find("model_type");
    if (type == nullptr || !type->is_string()) {
        reader.error("model_type", "missing", "known are " + known);
        return nullptr;
    }
    for (const auto& family : kFamilies) {
        if (*type == family.type) {
            return &family;
        }
    }
    reader.error("model_type", fmt::format("{} is not modelled", type->dump()),
                 "known are " + known);
    return nullptr;
}

std::string model_name(const Source& source)
{
    const std::filesystem::path path{source.name};
    const auto folder = path.parent_path().filename().string();
    return path.filename() == "config.json" && !folder.empty() ? folder : path.stem().string();
}

}  // namespace

ModelReading read_model(const std::shared_ptr<const Source>& source)
{
    const auto object = parse_json(source);
    JsonReader reader{source, object};
    const auto* family = family_of(reader);
    reader.throw_if_failed();

    spec::ModelSpec model;
    model.name = model_name(*source);
    model.hidden = reader.required("hidden_size");
    model.layers = static_cast<int>(reader.required("num_hidden_layers"));
    model.heads = static_cast<int>(reader.required("num_attention_heads"));
    model.kv_heads = static_cast<int>(reader.optional("num_key_value_heads").value_or(model.heads));
    model.ffn = reader.required("intermediate_size");
    model.vocab = reader.required("vocab_size");
    if (const auto head_dim = reader.optional("head_dim")) {
        model.head_dim = static_cast<int>(*head_dim);
    } else if (model.heads > 0) {
        if (model.hidden % model.heads != 0) {
            reader.error(
                "num_attention_heads",
                fmt::format("{} heads do not divide hidden_size {}", model.heads, model.hidden),
                "give head_dim when heads are not hidden_size / num_attention_heads wide");
        }
        model.head_dim = static_cast<int>(model.hidden / model.heads);
    }
    if (reader.find("sliding_window") != nullptr) {
        reader.error("sliding_window", "attention in a window is not modelled",
                     "set it to null to simulate full causal attention");
    }
    model.tied_embeddings = reader.flag("tie_word_embeddings");
    model.attention_bias = reader.flag(family->attention_bias_key);
    model.mlp_bias = reader.flag("mlp_bias");
    reader.throw_if_failed();
    return {model, reader.places()};
}

}  // namespace sim::config
