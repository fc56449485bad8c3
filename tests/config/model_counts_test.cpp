#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "config/model_json.hpp"
#include "workload/parameters.hpp"

namespace sim::config
{
namespace
{

/// The keys of a published config.json that set shapes, and how many parameters it makes.
struct PublishedModel {
    const char* name;
    const char* keys;
    std::int64_t parameters;
};

spec::ModelSpec model_of(const std::string& name, const std::string& text)
{
    return read_model(std::make_shared<Source>(Source{name, name, text, false})).spec;
}

// Totals are those of the checkpoints on huggingface.co (the number of parameters a model page
// shows, from the headers of its safetensors), input and output embeddings counted once when tied.
// Papers state the same rounded: Llama 1 table 2, Llama 3 table 3, Mixtral section 2, Gemma
// table 2. With h hidden, d head_dim, a and g query and key-value heads, f width, v words, L
// layers:
//     llama, mistral    L (2 h a d + 2 h g d + 3 h f + 2 h) + 2 v h + h
//     mixtral           L (2 h a d + 2 h g d + E 3 h f + E h + 2 h) + 2 v h + h
//     qwen2             llama's + L (a + 2 g) d of biases; qwen3: + L 2 d of query and key norms
//     gpt2              L (12 h^2 + 13 h) + (v + s) h + 2 h
constexpr PublishedModel kDense[] = {
    {"llama 7B", R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008,
        "num_attention_heads": 32, "num_hidden_layers": 32, "vocab_size": 32000})",
     6'738'415'616},
    {"llama 65B", R"({"model_type": "llama", "hidden_size": 8192, "intermediate_size": 22016,
        "num_attention_heads": 64, "num_hidden_layers": 80, "vocab_size": 32000})",
     65'285'660'672},
    {"Llama-3.2-1B", R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192,
        "num_attention_heads": 32, "num_hidden_layers": 16, "num_key_value_heads": 8,
        "head_dim": 64, "vocab_size": 128256, "tie_word_embeddings": true})",
     1'235'814'400},
    {"Llama-3.2-3B", R"({"model_type": "llama", "hidden_size": 3072, "intermediate_size": 8192,
        "num_attention_heads": 24, "num_hidden_layers": 28, "num_key_value_heads": 8,
        "head_dim": 128, "vocab_size": 128256, "tie_word_embeddings": true})",
     3'212'749'824},
    {"Llama-3.1-405B", R"({"model_type": "llama", "hidden_size": 16384, "vocab_size": 128256,
        "intermediate_size": 53248, "num_attention_heads": 128, "num_hidden_layers": 126,
        "num_key_value_heads": 8})",
     405'853'388'800},
    {"Mistral-7B", R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336,
        "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
        "sliding_window": 4096, "vocab_size": 32000})",
     7'241'732'096},
    {"Qwen2-7B", R"({"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944,
        "num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4,
        "max_window_layers": 28, "sliding_window": 131072, "use_sliding_window": false,
        "vocab_size": 152064})",
     7'615'616'512},
    {"Qwen2-0.5B", R"({"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864,
        "num_attention_heads": 14, "num_hidden_layers": 24, "num_key_value_heads": 2,
        "tie_word_embeddings": true, "vocab_size": 151936})",
     494'032'768},
    {"Qwen2.5-72B", R"({"model_type": "qwen2", "hidden_size": 8192, "intermediate_size": 29568,
        "num_attention_heads": 64, "num_hidden_layers": 80, "num_key_value_heads": 8,
        "vocab_size": 152064})",
     72'706'203'648},
    {"Qwen3-8B", R"({"model_type": "qwen3", "head_dim": 128, "hidden_size": 4096,
        "intermediate_size": 12288, "num_attention_heads": 32, "num_hidden_layers": 36,
        "num_key_value_heads": 8, "vocab_size": 151936})",
     8'190'735'360},
    {"gpt2", R"({"model_type": "gpt2", "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12,
        "n_positions": 1024, "vocab_size": 50257})",
     124'439'808},
    {"gpt2-xl", R"({"model_type": "gpt2", "n_embd": 1600, "n_head": 25, "n_layer": 48,
        "n_inner": null, "n_positions": 1024, "vocab_size": 50257})",
     1'557'611'200},
    // GPT-NeoX-20B: arXiv:2204.06745, section 2: 20,554,567,680.
    {"gpt-neox-20b", R"({"model_type": "gpt_neox", "hidden_size": 6144, "vocab_size": 50432,
        "intermediate_size": 24576, "num_attention_heads": 64, "num_hidden_layers": 44,
        "max_position_embeddings": 2048, "tie_word_embeddings": false})",
     20'554'567'680},
    // Pythia: arXiv:2304.01373, table 1 (total = non-embedding + 2 v h).
    {"pythia-6.9b", R"({"model_type": "gpt_neox", "hidden_size": 4096, "vocab_size": 50432,
        "intermediate_size": 16384, "num_attention_heads": 32, "num_hidden_layers": 32,
        "use_parallel_residual": true, "tie_word_embeddings": false})",
     6'857'302'016},
    {"mpt-7b", R"({"model_type": "mpt", "d_model": 4096, "expansion_ratio": 4, "n_heads": 32,
        "n_layers": 32, "no_bias": true, "vocab_size": 50432})",
     6'649'286'656},
    {"gemma-2b", R"({"model_type": "gemma", "head_dim": 256, "hidden_size": 2048,
        "intermediate_size": 16384, "num_attention_heads": 8, "num_hidden_layers": 18,
        "num_key_value_heads": 1, "vocab_size": 256000})",
     2'506'172'416},
    {"gemma-7b", R"({"model_type": "gemma", "head_dim": 256, "hidden_size": 3072,
        "intermediate_size": 24576, "num_attention_heads": 16, "num_hidden_layers": 28,
        "num_key_value_heads": 16, "vocab_size": 256000})",
     8'537'680'896},
    {"gemma-2-9b", R"({"model_type": "gemma2", "head_dim": 256, "hidden_size": 3584,
        "intermediate_size": 14336, "num_attention_heads": 16, "num_hidden_layers": 42,
        "num_key_value_heads": 8, "sliding_window": 4096, "vocab_size": 256000})",
     9'241'705'984},
    {"gemma-2-27b", R"({"model_type": "gemma2", "head_dim": 128, "hidden_size": 4608,
        "intermediate_size": 36864, "num_attention_heads": 32, "num_hidden_layers": 46,
        "num_key_value_heads": 16, "sliding_window": 4096, "vocab_size": 256000})",
     27'227'128'320},
    {"gemma-3-1b", R"({"model_type": "gemma3_text", "head_dim": 256, "hidden_size": 1152,
        "intermediate_size": 6912, "num_attention_heads": 4, "num_hidden_layers": 26,
        "num_key_value_heads": 1, "sliding_window": 512, "sliding_window_pattern": 6,
        "vocab_size": 262144})",
     999'885'952},
    // The text part of the checkpoint: 27,432,406,640 less 423 M of vision.
    {"gemma-3-27b", R"({"model_type": "gemma3", "text_config": {"head_dim": 128,
        "hidden_size": 5376, "intermediate_size": 21504, "model_type": "gemma3_text",
        "num_attention_heads": 32, "num_hidden_layers": 62, "num_key_value_heads": 16,
        "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}})",
     27'009'346'304},
    {"phi-2", R"({"model_type": "phi", "hidden_size": 2560, "intermediate_size": 10240,
        "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
        "qk_layernorm": false, "vocab_size": 51200})",
     2'779'683'840},
    {"Phi-3-mini", R"({"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192,
        "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
        "sliding_window": 2047, "vocab_size": 32064})",
     3'821'079'552},
    {"phi-4", R"({"model_type": "phi3", "hidden_size": 5120, "intermediate_size": 17920,
        "num_attention_heads": 40, "num_hidden_layers": 40, "num_key_value_heads": 10,
        "sliding_window": null, "vocab_size": 100352})",
     14'659'507'200},
    // arXiv:2406.11704, table 1: 9.4 billion in embeddings, 331.6 billion elsewhere.
    {"Nemotron-4-340B", R"({"model_type": "nemotron", "hidden_size": 18432, "vocab_size": 256000,
        "intermediate_size": 73728, "num_attention_heads": 96, "num_hidden_layers": 96,
        "num_key_value_heads": 8})",
     341'029'195'776},
};

constexpr PublishedModel kSparse[] = {
    {"Mixtral-8x7B", R"({"model_type": "mixtral", "hidden_size": 4096, "vocab_size": 32000,
        "intermediate_size": 14336, "num_attention_heads": 32, "num_experts_per_tok": 2,
        "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 8})",
     46'702'792'704},
    {"Mixtral-8x22B", R"({"model_type": "mixtral", "hidden_size": 6144, "vocab_size": 32768,
        "intermediate_size": 16384, "num_attention_heads": 48, "num_experts_per_tok": 2,
        "num_hidden_layers": 56, "num_key_value_heads": 8, "num_local_experts": 8})",
     140'630'071'296},
    {"Qwen1.5-MoE-A2.7B", R"({"model_type": "qwen2_moe", "decoder_sparse_step": 1,
        "hidden_size": 2048, "intermediate_size": 5632, "moe_intermediate_size": 1408,
        "num_attention_heads": 16, "num_experts": 60, "num_experts_per_tok": 4,
        "num_hidden_layers": 24, "num_key_value_heads": 16,
        "shared_expert_intermediate_size": 5632, "vocab_size": 151936})",
     14'315'784'192},
    // arXiv:2405.04434: 236 billion, 21 billion of them for a token; the Lite one 15.7 and 2.4.
    {"DeepSeek-V2", R"({"model_type": "deepseek_v2", "first_k_dense_replace": 1,
        "hidden_size": 5120, "intermediate_size": 12288, "kv_lora_rank": 512,
        "moe_intermediate_size": 1536, "moe_layer_freq": 1, "n_routed_experts": 160,
        "n_shared_experts": 2, "num_attention_heads": 128, "num_experts_per_tok": 6,
        "num_hidden_layers": 60, "num_key_value_heads": 128, "q_lora_rank": 1536,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
        "vocab_size": 102400})",
     235'741'434'880},
    {"DeepSeek-V2-Lite", R"({"model_type": "deepseek_v2", "first_k_dense_replace": 1,
        "hidden_size": 2048, "intermediate_size": 10944, "kv_lora_rank": 512,
        "moe_intermediate_size": 1408, "moe_layer_freq": 1, "n_routed_experts": 64,
        "n_shared_experts": 2, "num_attention_heads": 16, "num_experts_per_tok": 6,
        "num_hidden_layers": 27, "num_key_value_heads": 16, "q_lora_rank": null,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
        "vocab_size": 102400})",
     15'706'484'224},
    {"dbrx", R"({"model_type": "dbrx", "attn_config": {"kv_n_heads": 8, "clip_qkv": 8},
        "d_model": 6144, "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16,
        "moe_top_k": 4}, "n_heads": 48, "n_layers": 40, "tie_word_embeddings": false,
        "vocab_size": 100352})",
     131'596'523'520},
    {"Phi-3.5-MoE", R"({"model_type": "phimoe", "attention_bias": true, "hidden_size": 4096,
        "intermediate_size": 6400, "lm_head_bias": true, "num_attention_heads": 32,
        "num_experts_per_tok": 2, "num_hidden_layers": 32, "num_key_value_heads": 8,
        "num_local_experts": 16, "sliding_window": 131072, "vocab_size": 32064})",
     41'873'153'344},
    {"gpt-oss-120b", R"({"model_type": "gpt_oss", "attention_bias": true, "head_dim": 64,
        "hidden_size": 2880, "intermediate_size": 2880, "num_attention_heads": 64,
        "num_experts_per_tok": 4, "num_hidden_layers": 36, "num_key_value_heads": 8,
        "num_local_experts": 128, "sliding_window": 128, "vocab_size": 201088})",
     116'829'156'672},
    // Of Llama 4 the text part: the checkpoints' 108,641,793,536 and 401,583,781,376 less the
    // 871,932,416 of the vision tower.
    {"Llama-4-Scout", R"({"model_type": "llama4", "text_config": {"attention_chunk_size": 8192,
        "head_dim": 128, "hidden_size": 5120, "interleave_moe_layer_step": 1,
        "intermediate_size": 8192, "intermediate_size_mlp": 16384, "num_attention_heads": 40,
        "num_experts_per_tok": 1, "num_hidden_layers": 48, "num_key_value_heads": 8,
        "num_local_experts": 16, "use_qk_norm": true, "vocab_size": 202048}})",
     107'769'861'120},
    {"Llama-4-Maverick", R"({"model_type": "llama4", "text_config": {"hidden_size": 5120,
        "attention_chunk_size": 8192, "head_dim": 128, "interleave_moe_layer_step": 2,
        "intermediate_size": 8192, "intermediate_size_mlp": 16384, "num_attention_heads": 40,
        "num_experts_per_tok": 1, "num_hidden_layers": 48, "num_key_value_heads": 8,
        "num_local_experts": 128, "use_qk_norm": false, "vocab_size": 202048}})",
     400'711'848'960},
};

TEST(ModelCounts, DenseModelsHaveThePublishedNumberOfParameters)
{
    for (const auto& model : kDense) {
        EXPECT_EQ(workload::total_parameters(model_of(model.name, model.keys)), model.parameters)
            << model.name;
    }
}

TEST(ModelCounts, MixturesOfExpertsHaveThePublishedNumberOfParameters)
{
    for (const auto& model : kSparse) {
        EXPECT_EQ(workload::total_parameters(model_of(model.name, model.keys)), model.parameters)
            << model.name;
    }
}

/// Files that people have; see the README beside them.
struct RealFile {
    const char* name;
    std::int64_t parameters;
    double active_billions;  ///< as the publisher states them; 0: dense
};

// DeepSeek-V3 states 671 B and 37 B for a token, without the extra layer that predicts a second
// token; Qwen3-Next 80 B (79 B outside the embeddings) and 3 B. The Mixtrals of neuronx-distributed
// are not the published ones: 32 key-value heads make 32 * 2 * 4096 * 24 * 128 more parameters.
constexpr RealFile kRealFiles[] = {
    {"aicb_qwen3_moe_default.json", 235'093'634'560, 22.2},
    {"dsv3_native_config_16B.json", 15'706'484'224, 2.7},
    {"dsv3_native_config_236B.json", 235'741'434'880, 21.4},
    {"dsv3_native_config_v3.1.json", 671'026'419'200, 37.6},
    {"llmss_Llama-3.1-8B.json", 8'030'261'248, 0},
    {"llmss_Qwen3-30B-A3B-Instruct-2507.json", 30'532'122'624, 3.35},
    {"llmss_Qwen3-32B.json", 32'762'123'264, 0},
    {"nxd_13B_config_llama2_config.json", 13'015'864'320 + 2 * 16 * 5120, 0},
    {"nxd_70B_config_llama2_config.json", 68'976'648'192, 0},
    {"nxd_70B_config_llama3.1_config.json", 70'553'706'496, 0},
    {"nxd_70B_config_llama3_config.json", 70'553'706'496, 0},
    {"nxd_8B_config_llama3.1_config.json", 8'030'261'248, 0},
    {"nxd_8B_config_llama3_config.json", 8'030'261'248, 0},
    {"nxd_configs_8x1b_config.json",
     4 * (4 * 1024 * 1024 + 8 * 3 * 1024 * 3584 + 8 * 1024 + 2 * 1024) + 2 * 32000 * 1024 + 1024,
     0.17},
    {"nxd_configs_8x7b_config.json", 46'702'792'704 + 32LL * 2 * 4096 * 24 * 128, 13.7},
    {"simai_deepseek_v3_config.json", 671'026'419'200, 37.6},
    {"simai_qwen3-235B-A22B_FP8_config.json", 235'093'634'560, 22.2},
    {"simai_qwen3-next-80B-A3B_Instruct_FP8_config.json", 79'674'391'296, 3.9},
    {"simai_qwen3-next-80B-A3B_config.json", 79'674'391'296, 3.9},
};

TEST(ModelCounts, EveryFileFoundInPublicRepositoriesIsRead)
{
    const std::filesystem::path folder =
        std::filesystem::path{WEFTSIM_SOURCE_DIR} / "tests/config/samples/hf_config";
    for (const auto& file : kRealFiles) {
        std::ifstream in{folder / file.name};
        const std::string text{std::istreambuf_iterator<char>{in}, {}};
        const auto model = model_of(file.name, text);
        EXPECT_EQ(workload::total_parameters(model), file.parameters) << file.name;
        const auto active = static_cast<double>(workload::active_parameters(model)) / 1e9;
        if (file.active_billions > 0) {
            EXPECT_NEAR(active / file.active_billions, 1, 0.02) << file.name;
        } else {
            EXPECT_EQ(workload::active_parameters(model), file.parameters) << file.name;
        }
    }
}

TEST(ModelCounts, WindowsAndLinearLayersAreWhereTheFilesPutThem)
{
    const auto kinds = [](const spec::ModelSpec& model, spec::Mixer mixer) {
        int count = 0;
        for (int layer = 0; layer < model.layers; ++layer) {
            count += spec::layer_kind(model, layer).mixer == mixer ? 1 : 0;
        }
        return count;
    };
    // Gemma 2 alternates, Gemma 3 sees everything in every sixth layer (4 of 26), Llama 4 in every
    // fourth; Qwen2 has its window switched off.
    EXPECT_EQ(kinds(model_of("", kDense[17].keys), spec::Mixer::window), 21);
    EXPECT_EQ(kinds(model_of("", kDense[19].keys), spec::Mixer::attention), 4);
    EXPECT_EQ(kinds(model_of("", kSparse[8].keys), spec::Mixer::attention), 12);
    EXPECT_EQ(kinds(model_of("", kDense[6].keys), spec::Mixer::window), 0);
}

}  // namespace
}  // namespace sim::config
