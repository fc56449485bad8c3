#include <string>
#include <utility>

#include "formats/plan_keys.hpp"

namespace sim::formats
{

namespace
{

/// NeMo's words for Megatron's arguments.
constexpr std::pair<const char*, const char*> kSame[] = {
    {"model.encoder_seq_length", "seq-length"},
    {"model.activations_checkpoint_granularity", "recompute-granularity"},
    {"model.activations_checkpoint_method", "recompute-method"},
    {"model.activations_checkpoint_num_layers", "recompute-num-layers"},
    {"model.ub_tp_comm_overlap", "tp-comm-overlap"},
    {"model.tokenizer.vocab_size", "vocab-size"},
};

bool is_true(const std::string& value) { return value == "True" || value == "true"; }

/// A key whose values say something that Megatron says with another one.
struct Meaning {
    const char* theirs;
    const char* megatron;
    bool (*holds)(const std::string&);
};

constexpr Meaning kMeanings[] = {
    {"model.bias", "disable-bias-linear", [](const std::string& v) { return !is_true(v); }},
    {"model.share_embeddings_and_output_weights", "untie-embeddings-and-output-weights",
     [](const std::string& v) { return !is_true(v); }},
    {"model.activation", "swiglu",
     [](const std::string& v) { return v.find("glu") != std::string::npos; }},
    {"model.num_query_groups", "group-query-attention",
     [](const std::string& v) { return v != "null"; }},
    {"model.optim.name", "use-distributed-optimizer",
     [](const std::string& v) { return v.rfind("distributed", 0) == 0; }},
    {"trainer.precision", "bf16", [](const std::string& v) { return v.rfind("bf16", 0) == 0; }},
    {"trainer.precision", "fp16", [](const std::string& v) { return v.rfind("16", 0) == 0; }},
};

/// What NeMo has besides, of neither time nor memory.
constexpr const char* kHarmlessHere[] = {
    "exp_manager.",
    "model.optim.",
    "model.data.",
    "model.nsys_profile.",
    "model.tokenizer.",
    "model.encoder_seq_length",
    "model.bias",
    "model.activation",
    "model.share_embeddings_and_output_weights",
    "model.activations_checkpoint_",
    "model.use_scaled_init",
    "model.init_method",
    "model.apply_query_key",
    "model.do_layer_norm",
    "model.persist_layer_norm",
    "model.pre_process",
    "model.post_process",
    "model.mcore_gpt",
    "model.restore_",
    "model.attention_type",
    "model.normalize_",
    "model.openai_gelu",
    "model.native_amp",
    "model.onnx_safe",
    "model.apex_",
    "model.batch_p2p",
    "model.masked_softmax",
    "model.get_attention_mask",
    "trainer.accelerator",
    "trainer.logger",
    "trainer.enable_",
    "trainer.use_distributed",
    "trainer.accumulate_",
    "trainer.gradient_clip",
    "trainer.benchmark",
    "trainer.precision",
    "name",
};

}  // namespace

/// Only where the trainer is described beside the model; keys of Megatron's own files stay.
void add_nemo_meanings(std::vector<PlanKey>& keys)
{
    std::vector<PlanKey> added;
    for (auto& key : keys) {
        for (const auto& [theirs, megatron] : kSame) {
            if (key.key == theirs) {
                added.push_back({megatron, key.value, key.place});
            }
        }
        for (const auto& meaning : kMeanings) {
            if (key.key == meaning.theirs) {
                added.push_back(
                    {meaning.megatron, meaning.holds(key.value) ? "true" : "false", key.place});
            }
        }
        if (key.key == "model.normalization") {
            key.value = key.value == "rmsnorm" ? "RMSNorm" : "LayerNorm";
        }
        for (const auto* harmless : kHarmlessHere) {
            key.taken = key.taken || key.key.rfind(harmless, 0) == 0;
        }
    }
    keys.insert(keys.end(), added.begin(), added.end());
}

}  // namespace sim::formats
