#include "cli/kernel_rows.hpp"

#include <cstdint>

#include "compute/kernel_cost.hpp"
#include "workload/recipe.hpp"

namespace sim::cli
{

namespace
{

using spec::AttentionLibrary;

std::optional<double> positive(const std::string& text)
{
    const auto value = parse_number(text);
    return value && *value > 0 && *value < 1e15 ? value : std::nullopt;
}

/// "M=64 N=2112 K=7168" by its names.
std::map<std::string, std::string> shape_of(const std::string& text)
{
    std::map<std::string, std::string> shape;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find(' ', begin), text.size());
        const auto word = text.substr(begin, end - begin);
        const auto equals = word.find('=');
        if (equals != std::string::npos) {
            shape[word.substr(0, equals)] = word.substr(equals + 1);
        }
        begin = end + 1;
    }
    return shape;
}

std::int64_t at(const std::map<std::string, std::string>& shape, const std::string& name)
{
    const auto found = shape.find(name);
    const auto value = found == shape.end() ? std::nullopt : positive(found->second);
    return value && *value < 1e9 ? static_cast<std::int64_t>(*value) : 0;
}

std::optional<AttentionLibrary> library_of(const std::string& kernel)
{
    static const std::map<std::string, AttentionLibrary> table{
        {"FlashAttention1", AttentionLibrary::flash_1},
        {"FlashAttention2", AttentionLibrary::flash_2},
        {"FlashAttention3", AttentionLibrary::flash_3},
        {"cuDNN", AttentionLibrary::cudnn},
        {"PyTorch", AttentionLibrary::unfused},
        {"standard", AttentionLibrary::unfused}};
    const auto found = table.find(kernel);
    return found == table.end() ? std::nullopt : std::optional{found->second};
}

std::optional<spec::Precision> precision_of(const std::string& dtype)
{
    if (dtype.rfind("FP8", 0) == 0) {
        return spec::Precision::fp8;
    }
    if (dtype == "BF16" || dtype == "FP16" || dtype == "FP16/BF16") {
        return spec::Precision::bf16;
    }
    return std::nullopt;
}

/// TFLOP/s of a product whose result is 16 bits wide, or nothing when the shape is not one.
std::optional<double> product_rate(const std::string& text, spec::Precision precision,
                                   const spec::GpuSpec& gpu)
{
    auto shape = shape_of(text);
    if (const auto scan = shape.find("MxNxK"); scan != shape.end()) {
        const auto first = scan->second.find('x');
        const auto last = scan->second.rfind('x');
        if (first == std::string::npos || first == last) {
            return std::nullopt;
        }
        shape["M"] = scan->second.substr(0, first);
        shape["N"] = scan->second.substr(first + 1, last - first - 1);
        shape["K"] = scan->second.substr(last + 1);
    }
    spec::Operation operation;
    operation.kind = spec::OperationKind::gemm;
    operation.precision = precision;
    operation.m = at(shape, shape.count("Mper") != 0 ? "Mper" : "M");
    operation.n = at(shape, "N");
    operation.k = at(shape, "K");
    operation.batch = shape.count("groups") != 0 ? at(shape, "groups") : 1;
    if (operation.m <= 0 || operation.n <= 0 || operation.k <= 0 || operation.batch <= 0) {
        return std::nullopt;
    }
    const auto m = static_cast<double>(operation.m);
    const auto n = static_cast<double>(operation.n);
    const auto k = static_cast<double>(operation.k);
    const auto batch = static_cast<double>(operation.batch);
    operation.bytes = batch * (spec::element_bytes(precision) * (m * k + k * n) + 2 * m * n);
    return batch * 2 * m * n * k / compute::cost(operation, gpu).alone.base() / 1e12;
}

double seconds(const std::vector<workload::Item>& items, bool causal, const spec::GpuSpec& gpu)
{
    double sum = 0;
    for (const auto& item : items) {
        auto operation = item.operation;
        operation.causal = causal;
        sum += compute::cost(operation, gpu).alone.base();
    }
    return sum;
}

/// TFLOP/s of what the mask leaves of attention, forward alone or with its backward.
std::optional<double> attention_rate(const std::string& text, AttentionLibrary library,
                                     bool with_backward, const spec::GpuSpec& gpu)
{
    const auto shape = shape_of(text);
    const auto causal = shape.find("causal");
    workload::Shard shard;
    shard.sequence = at(shape, "seq");
    shard.tokens = at(shape, "total_tokens");
    shard.hidden = at(shape, "hidden");
    shard.head_dim = at(shape, "head_dim");
    if (shard.sequence <= 0 || shard.tokens <= 0 || shard.hidden <= 0 || shard.head_dim <= 0 ||
        shard.tokens % shard.sequence != 0 || shard.hidden % shard.head_dim != 0 ||
        causal == shape.end()) {
        return std::nullopt;
    }
    shard.sequences = shard.tokens / shard.sequence;
    shard.heads = shard.hidden / shard.head_dim;
    shard.kv_heads = shard.heads;
    shard.attention = library;
    const bool masked = causal->second == "True";
    workload::Recipe recipe{shard};
    recipe.attention(false);
    if (with_backward) {
        recipe.attention(true);
    }
    if (library == AttentionLibrary::unfused && masked) {
        // Eager PyTorch adds the mask in a pass of its own.
        recipe.streaming("mask", 2 * shard.element * shard.heads * shard.tokens * shard.sequence);
    }
    const double square = static_cast<double>(shard.tokens) * static_cast<double>(shard.sequence) *
                          static_cast<double>(shard.hidden) * (masked ? 0.5 : 1);
    const double flops = (with_backward ? 14 : 4) * square;
    return flops / seconds(recipe.items(), masked, gpu) / 1e12;
}

/// Microseconds from one tiny kernel of a stream to the next.
double period(const spec::GpuSpec& gpu) { return gpu.kernel_launch.base() * 1e6; }

struct Request {
    std::string kind;
    std::string kernel;
    std::string shape;
    std::string metric;
    std::optional<spec::Precision> precision;
};

std::optional<double> predict(const Request& request, const spec::GpuSpec& gpu)
{
    if (request.kind == "attention") {
        const auto library = library_of(request.kernel);
        const bool with_backward = request.metric.rfind("fwd+bwd", 0) == 0;
        return library ? attention_rate(request.shape, *library, with_backward, gpu) : std::nullopt;
    }
    if (request.kind == "kernel-launch") {
        const bool stream = request.kernel.find("stream launch") != std::string::npos;
        return stream ? std::optional{period(gpu)} : std::nullopt;
    }
    return request.precision ? product_rate(request.shape, *request.precision, gpu) : std::nullopt;
}

bool is_kernel(const std::string& kind)
{
    return kind == "attention" || kind == "matmul-max" || kind == "matmul-shape" ||
           kind == "kernel-launch";
}

}  // namespace

std::optional<double> KernelRow::error() const
{
    if (!measured || !predicted) {
        return std::nullopt;
    }
    return *predicted / *measured - 1;
}

KernelRow kernel_row(const CsvTable& table, std::size_t row, const spec::GpuSpec& gpu)
{
    const auto& kind = table.at(row, "kind");
    const auto& kernel = table.at(row, "kernel");
    KernelRow result;
    result.row = row;
    result.set = kind + ", " + kernel;
    result.measured = positive(table.at(row, "value"));
    if (!is_kernel(kind)) {
        result.reason = "not one kernel of one GPU";
        return result;
    }
    try {
        result.predicted = predict({kind, kernel, table.at(row, "shape"), table.at(row, "metric"),
                                    precision_of(table.at(row, "dtype"))},
                                   gpu);
        result.reason = result.predicted ? "" : "a kernel, shape or type that is not modelled";
    } catch (const InputError& error) {
        result.reason = error.diagnostics().front().message;
    }
    const bool unfused = library_of(kernel) == AttentionLibrary::unfused;
    result.fitted = kind != "matmul-shape" && !unfused;
    return result;
}

std::vector<KernelRow> kernel_rows(const CsvTable& table,
                                   const std::map<std::string, spec::GpuSpec>& gpus)
{
    std::vector<KernelRow> rows;
    for (std::size_t row = 0; row < table.size(); ++row) {
        const auto& name = table.at(row, "gpu");
        const auto gpu = gpus.find(name);
        if (gpu != gpus.end()) {
            rows.push_back(kernel_row(table, row, gpu->second));
            continue;
        }
        KernelRow unknown;
        unknown.row = row;
        unknown.set = table.at(row, "kind") + ", " + table.at(row, "kernel");
        unknown.measured = positive(table.at(row, "value"));
        unknown.reason = is_kernel(table.at(row, "kind")) ? "the GPU is not in the map: " + name
                                                          : "not one kernel of one GPU";
        rows.push_back(unknown);
    }
    return rows;
}

}  // namespace sim::cli
