#include "config/read_gpu.hpp"

#include "config/read_memory.hpp"
#include "config/vocabulary.hpp"

namespace sim::config
{

namespace
{

/// One share for every precision the GPU has a rate for, or one each.
void read_math_efficiency(MapReader& reader, spec::GpuSpec& gpu)
{
    const auto* node = reader.need("math_efficiency", "0.8");
    if (node == nullptr) {
        return;
    }
    if (node->kind != Node::Kind::mapping) {
        const auto share = reader.optional("math_efficiency", real_number("0.8")).value_or(1);
        for (const auto& [precision, rate] : gpu.peak) {
            gpu.math_efficiency[precision] = share;
        }
        return;
    }
    auto shares = reader.section("math_efficiency", "{ bf16: 0.8 }");
    for (const auto& [word, precision] : precision_words()) {
        if (const auto share = shares.optional(word, real_number("0.8"))) {
            gpu.math_efficiency[precision] = *share;
        }
    }
    shares.finish();
}

spec::AttentionPass read_attention_pass(MapReader reader)
{
    spec::AttentionPass pass;
    pass.rate = reader.required("rate", real_number("0.7"));
    pass.softmax = reader.required("softmax", real_number("20"));
    pass.fill = reader.required("fill", real_number("200"));
    reader.finish();
    return pass;
}

std::map<spec::AttentionLibrary, spec::AttentionSpec> read_attention(MapReader reader)
{
    std::map<spec::AttentionLibrary, spec::AttentionSpec> known;
    const std::string example = "{ rate: 0.7, softmax: 20, fill: 200 }";
    for (const auto& [word, library] : attention_library_words()) {
        if (library == spec::AttentionLibrary::unfused || !reader.written(word)) {
            continue;
        }
        auto of_library = reader.section(word, "{ forward: ..., backward: ... }");
        auto& attention = known[library];
        attention.forward = read_attention_pass(of_library.section("forward", example));
        attention.backward = read_attention_pass(of_library.section("backward", example));
        of_library.finish();
    }
    reader.finish();
    return known;
}

}  // namespace

spec::GpuSpec read_gpu(MapReader reader)
{
    spec::GpuSpec gpu;
    gpu.name = reader.required("name", words("H100 SXM"));
    gpu.sms = reader.required("sms", count("132"));
    auto peak = reader.section("peak", "{ bf16: 989 TFLOP/s }");
    for (const auto& [word, precision] : precision_words()) {
        if (const auto rate = peak.optional(word, quantity<FlopRate>("989 TFLOP/s"))) {
            gpu.peak[precision] = *rate;
        }
    }
    peak.finish();
    read_math_efficiency(reader, gpu);
    gpu.gemm_fill = reader.defaulted("gemm_fill", quantity<Bytes>("256 B"), "256 B");
    gpu.gemm_store_overlapped = reader.defaulted("gemm_store_overlapped", truth("true"), "false");
    gpu.attention = read_attention(reader.optional_section("attention"));
    gpu.memory = reader.required("memory", quantity<Bytes>("80 GiB"));
    gpu.memory_bandwidth = reader.required("memory_bandwidth", quantity<Bandwidth>("3.35 TB/s"));
    if (auto hbm = reader.optional_section("hbm"); hbm.present()) {
        gpu.hbm = read_hbm(hbm);
        gpu.memory_efficiency =
            reader.optional("memory_efficiency", real_number("0.9")).value_or(1);
    } else {
        gpu.memory_efficiency = reader.required("memory_efficiency", real_number("0.9"));
    }
    gpu.kernel_launch = reader.required("kernel_launch", quantity<Time>("2.4 us"));
    if (auto power = reader.optional_section("power"); power.present()) {
        gpu.power = {power.required("idle", quantity<Power>("70 W")),
                     power.required("limit", quantity<Power>("700 W"))};
        power.finish();
    }
    reader.finish();
    return gpu;
}

}  // namespace sim::config
