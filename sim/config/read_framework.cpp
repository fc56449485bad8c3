#include "config/read_framework.hpp"

#include "config/documents.hpp"
#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

/// A library by name, or the newest that the GPU lists.
Scalar<std::optional<spec::AttentionLibrary>> attention_choice()
{
    Vocabulary<std::optional<spec::AttentionLibrary>> words{{"auto", std::nullopt}};
    for (const auto& [word, library] : attention_library_words()) {
        words.emplace_back(word, library);
    }
    return choice(words);
}

void read_kernels(MapReader& reader, spec::FrameworkSpec& framework)
{
    const auto* example = "[{ gpu: H100 SXM, gemm: { bf16: 0.9 } }]";
    for (auto& item : reader.optional_sections("kernels", example)) {
        const auto gpu = item.required("gpu", words("H100 SXM"));
        auto& profile = framework.kernels[gpu];
        auto gemm = item.optional_section("gemm");
        for (const auto& [word, precision] : precision_words()) {
            if (const auto share = gemm.optional(word, real_number("0.9"))) {
                profile.gemm[precision] = *share;
            }
        }
        gemm.finish();
        profile.attention = item.optional("attention", real_number("0.9")).value_or(1);
        profile.memory = item.optional("memory", real_number("0.9")).value_or(1);
        item.finish();
    }
}

void read_data_parallelism(MapReader& reader, spec::FrameworkSpec& framework)
{
    framework.gradient_bucket = reader.required("gradient_bucket", quantity<Bytes>("80 MB"));
    framework.bucketing = reader.defaulted("bucketing", choice(bucketing_words()), "size");
    framework.overlap_gradients = reader.required("overlap_gradients", truth("true"));
    framework.overlap_parameters = reader.required("overlap_parameters", truth("true"));
    framework.parameter_exchange =
        reader.defaulted("parameter_exchange", choice(parameter_exchange_words()), "gather");
}

void read_host(MapReader& reader, spec::FrameworkSpec& framework)
{
    const auto time = quantity<Time>("500 us");
    framework.transfer_restart = reader.defaulted("transfer_restart", time, "0");
    framework.issue_forward = reader.defaulted("issue_forward", time, "0");
    framework.issue_backward = reader.defaulted("issue_backward", time, "0");
    framework.issue_experts = reader.defaulted("issue_experts", time, "0");
    framework.issue_each_expert = reader.defaulted("issue_each_expert", time, "0");
    framework.issue_collective = reader.defaulted("issue_collective", time, "0");
    framework.step_overhead = reader.defaulted("step_overhead", time, "0");
}

}  // namespace

spec::FrameworkSpec read_framework(MapReader reader)
{
    spec::FrameworkSpec framework;
    framework.name = reader.required("name", words("megatron-core"));
    read_data_parallelism(reader, framework);
    framework.tensor_overlap =
        reader.defaulted("tensor_overlap", choice(tensor_overlap_words()), "weight_gradient");
    framework.fused_accumulation = reader.defaulted("fused_accumulation", truth("true"), "true");
    framework.blocking_transfers = reader.defaulted("blocking_transfers", truth("true"), "false");
    framework.scattered_transfers = reader.defaulted("scattered_transfers", truth("true"), "false");
    framework.hidden_exchanges = reader.defaulted("hidden_exchanges", truth("true"), "false");
    framework.copies_per = reader.optional("copies_per", count("8"));
    read_host(reader, framework);
    framework.optimizer_bytes_per_parameter =
        reader.required("optimizer_bytes_per_parameter", real_number("40"));
    framework.step_bytes_per_parameter =
        reader.defaulted("step_bytes_per_parameter", real_number("4"), "0");
    framework.optimizer_state_bytes = reader.required("optimizer_state_bytes", real_number("12"));
    framework.attention = reader.defaulted("attention", attention_choice(), "auto");
    framework.reserved = reader.required("reserved", quantity<Bytes>("2 GiB"));
    read_kernels(reader, framework);
    reader.finish();
    return framework;
}

spec::FrameworkSpec load_framework(const std::string& path)
{
    Documents documents;
    const auto root = documents.load(path, {});
    Report report;
    auto framework = read_framework(MapReader{report, root});
    Diagnostics diagnostics;
    spec::Checker check{diagnostics, ""};
    spec::check_framework(check, framework);
    report.add(diagnostics);
    report.throw_if_failed();
    return framework;
}

}  // namespace sim::config
