#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

struct Format {
    const char* word;
    const char* what;
    std::vector<PlanKey> (*keys)(TopologySource&);
    void (*read)(PlanKeys&);
};

/// "MODEL_ARGS.--num-layers" and "model.config.num_layers" are "num-layers".
std::vector<PlanKey> megatron_yaml(TopologySource& source)
{
    auto keys = yaml_keys(source);
    const auto trained = [](const PlanKey& key) { return key.key.rfind("trainer.", 0) == 0; };
    if (std::any_of(keys.begin(), keys.end(), trained)) {
        add_nemo_meanings(keys);
    }
    for (auto& key : keys) {
        const bool environment = key.key.rfind("ENV_VARS", 0) == 0;
        const auto dot = key.key.rfind('.');
        if (dot != std::string::npos && !environment) {
            key.key = key.key.substr(dot + 1);
        }
        key.key = key.key.substr(std::min(key.key.find_first_not_of('-'), key.key.size()));
        std::replace(key.key.begin(), key.key.end(), '_', '-');
    }
    return keys;
}

std::vector<PlanKey> megatron_flags(TopologySource& source) { return flag_keys(source); }

constexpr std::array<Format, 8> kFormats{{
    {"deepspeed", "DeepSpeed JSON", yaml_keys, read_deepspeed},
    {"megatron", "Megatron-LM flags, plain or in a shell script", megatron_flags, read_megatron},
    {"megatron-yaml", "Megatron-LM or NeMo arguments in YAML", megatron_yaml, read_megatron},
    {"torchtitan", "torchtitan TOML", toml_keys, read_torchtitan},
    {"accelerate", "accelerate YAML, FSDP for one", yaml_keys, read_accelerate},
    {"llm-foundry", "llm-foundry YAML", yaml_keys, read_llm_foundry},
    {"neox", "GPT-NeoX YAML", neox_keys, read_neox},
    {"maxtext", "MaxText YAML", yaml_keys, read_maxtext},
}};

bool has(const std::string& text, const char* words) { return text.find(words) != text.npos; }

/// By what only one of them writes.
std::string recognise(const std::string& text)
{
    for (const auto* words : {"\"pipe_parallel_size\"", "\"pipe-parallel-size\"",
                              "\"checkpoint_activations\"", "\"checkpoint-activations\""}) {
        if (has(text, words)) {
            return "neox";
        }
    }
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && text[first] == '{') {
        return "deepspeed";
    }
    if (has(text, "device_train_microbatch_size:") || has(text, "global_train_batch_size:")) {
        return "llm-foundry";
    }
    if (has(text, "base_emb_dim:") || has(text, "ici_fsdp_parallelism:")) {
        return "maxtext";
    }
    if (has(text, "distributed_type:") || has(text, "mixed_precision:")) {
        return "accelerate";
    }
    if (has(text, "MODEL_ARGS:") || has(text, "tensor_model_parallel_size:")) {
        return "megatron-yaml";
    }
    if (has(text, "--num-layers") || has(text, "--num_layers") ||
        has(text, "--tensor-model-parallel-size")) {
        return "megatron";
    }
    if (has(text, "[training]") || has(text, "[parallelism]")) {
        return "torchtitan";
    }
    return {};
}

const Format* choose(TopologySource& source, const std::string& kind)
{
    const auto word = kind.empty() ? recognise(source.text()) : kind;
    std::vector<std::string> words;
    std::string list;
    for (const auto& format : kFormats) {
        if (word == format.word) {
            return &format;
        }
        words.emplace_back(format.word);
        list += (list.empty() ? "" : ", ") + words.back();
    }
    if (word.empty()) {
        source.error({}, "is of no format that is known", "name it: --kind " + list);
    } else {
        const auto near = closest(word, words);
        source.error({}, fmt::format("--kind \"{}\" is not one of {}", word, list),
                     near.empty() ? near : fmt::format("did you mean \"{}\"?", near));
    }
    return nullptr;
}

/// ${name} without quotes is no value yet; a file with such holes is a template.
void refuse_template(TopologySource& source, const Format& format)
{
    const bool holes = std::string_view{format.word} == "deepspeed";
    const auto at = source.text().find(": ${");
    if (holes && at != std::string::npos) {
        const auto end = source.text().find('}', at);
        source.error(source.place_of(at + 2),
                     fmt::format("{} is a placeholder: the file is a template",
                                 source.text().substr(at + 2, end - at - 1)),
                     "fill in its values");
    }
}

}  // namespace

const std::vector<PlanKind>& plan_kinds()
{
    static const auto kinds = [] {
        std::vector<PlanKind> all;
        for (const auto& format : kFormats) {
            all.push_back({format.word, format.what});
        }
        return all;
    }();
    return kinds;
}

ImportedPlan parse_plan(const std::string& path, std::string text, const std::string& kind)
{
    TopologySource source{path, std::move(text)};
    const auto* format = choose(source, kind);
    source.throw_if_failed();
    refuse_template(source, *format);
    source.throw_if_failed();
    ImportedPlan plan;
    plan.format = format->what;
    PlanKeys keys{source, plan, format->keys(source)};
    source.throw_if_failed();
    format->read(keys);
    keys.finish();
    source.throw_if_failed();
    plan.warnings = source.take_warnings();
    return plan;
}

ImportedPlan read_plan(const std::string& path, const std::string& kind)
{
    return parse_plan(path, read_topology_text(path), kind);
}

}  // namespace sim::formats
