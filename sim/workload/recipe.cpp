#include "workload/recipe.hpp"

#include <utility>

namespace sim::workload
{

namespace
{

double product(double a, double b, double c) { return a * b * c; }

Flops gemm_flops(GemmShape shape)
{
    return Flops::of(2 * product(static_cast<double>(shape.m), static_cast<double>(shape.n),
                                 static_cast<double>(shape.k)));
}

spec::Operation gemm_operation(GemmShape shape, spec::Precision precision)
{
    spec::Operation operation;
    operation.kind = spec::OperationKind::gemm;
    operation.precision = precision;
    operation.m = shape.m;
    operation.n = shape.n;
    operation.k = shape.k;
    operation.flops = gemm_flops(shape);
    return operation;
}

/// Attention stays in 16 bits when the GEMMs around it are narrower.
spec::Precision attention_precision(spec::Precision precision)
{
    return spec::element_bytes(precision) < 2 ? spec::Precision::bf16 : precision;
}

}  // namespace

int Recipe::gemm(std::string label, GemmShape shape, int after)
{
    auto operation = gemm_operation(shape, shard_.precision);
    const auto elements = shape.m * shape.k + shape.k * shape.n + shape.m * shape.n;
    operation.bytes = static_cast<double>(shard_.element * elements);
    return add_kernel(std::move(label), operation, after);
}

int Recipe::weight_gradient(std::string label, GemmShape shape, int after)
{
    auto operation = gemm_operation(shape, shard_.precision);
    const auto inputs = shard_.element * (shape.m * shape.k + shape.k * shape.n);
    const auto accumulated = 2 * shard_.gradient * shape.m * shape.n;
    operation.bytes = static_cast<double>(inputs + accumulated);
    const int item = add_kernel(std::move(label), operation, after);
    gradients_ready(shape.m * shape.n);
    return item;
}

void Recipe::attention(bool backward)
{
    if (shard_.attention != spec::AttentionLibrary::unfused) {
        fused_attention(backward);
    } else if (backward) {
        unfused_attention_backward();
    } else {
        unfused_attention_forward();
    }
}

void Recipe::fused_attention(bool backward)
{
    spec::Operation operation;
    operation.kind = spec::OperationKind::attention;
    operation.library = shard_.attention;
    operation.backward = backward;
    operation.precision = attention_precision(shard_.precision);
    operation.m = shard_.sequence;
    operation.n = shard_.sequence;
    operation.k = shard_.head_dim;
    operation.batch = shard_.heads * shard_.sequences;

    const auto square =
        product(static_cast<double>(shard_.tokens), static_cast<double>(shard_.sequence),
                static_cast<double>(shard_.query()));
    const double forward_flops = 2 * square;
    operation.flops = Flops::of(backward ? 2.5 * forward_flops : forward_flops);

    const auto touched = shard_.query() + shard_.qkv();  // q, k, v and the output
    const auto passes = backward ? 2 : 1;                // and the gradient of each
    operation.bytes = static_cast<double>(passes * shard_.element * shard_.tokens * touched);
    add_kernel(backward ? "attention backward" : "attention", operation, kNothing);
}

void Recipe::unfused_attention_forward()
{
    const auto keys = shard_.sequence;
    attention_product("scores", {keys, keys, shard_.head_dim});
    scores_pass("softmax", 2 * shard_.element);      // read and written
    scores_pass("dropout", 2 * shard_.element + 1);  // and its mask
    attention_product("context", {keys, shard_.head_dim, keys});
}

void Recipe::unfused_attention_backward()
{
    const auto keys = shard_.sequence;
    attention_product("softmax dgrad", {keys, keys, shard_.head_dim});
    attention_product("value grad", {keys, shard_.head_dim, keys});
    scores_pass("dropout backward", 2 * shard_.element + 1);
    scores_pass("softmax backward", 3 * shard_.element);  // its output and two gradients
    attention_product("query grad", {keys, shard_.head_dim, keys});
    attention_product("key grad", {keys, shard_.head_dim, keys});
}

/// One product for each head of each sequence, in a batch.
void Recipe::attention_product(std::string label, GemmShape shape)
{
    auto operation = gemm_operation(shape, attention_precision(shard_.precision));
    operation.batch = shard_.heads * shard_.sequences;
    operation.flops = static_cast<double>(operation.batch) * operation.flops;
    const auto elements = shape.m * shape.k + shape.k * shape.n + shape.m * shape.n;
    operation.bytes = static_cast<double>(shard_.element * operation.batch * elements);
    add_kernel(std::move(label), operation, kNothing);
}

void Recipe::scores_pass(std::string label, std::int64_t bytes_each)
{
    streaming(std::move(label), bytes_each * shard_.heads * shard_.tokens * shard_.sequence);
}

int Recipe::streaming(std::string label, std::int64_t bytes, int after)
{
    spec::Operation operation;
    operation.precision = shard_.precision;
    operation.bytes = static_cast<double>(bytes);
    return add_kernel(std::move(label), operation, after);
}

int Recipe::gather(std::string label)
{
    if (!shard_.sequence_parallel) {
        return kNothing;
    }
    const auto size = Bytes::of(shard_.element * shard_.tokens * shard_.hidden);
    return add_collective(std::move(label), CollectiveKind::all_gather, size);
}

int Recipe::reduce(std::string label)
{
    const auto size = Bytes::of(shard_.element * shard_.tokens * shard_.hidden);
    const auto kind =
        shard_.sequence_parallel ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce;
    return add_collective(std::move(label), kind, size);
}

int Recipe::all_reduce(std::string label, Bytes size)
{
    return add_collective(std::move(label), CollectiveKind::all_reduce, size);
}

int Recipe::add_kernel(std::string label, spec::Operation operation, int after)
{
    operation.recomputed = recomputed_;
    Item item;
    item.kind = TaskKind::kernel;
    item.label = std::move(label);
    item.operation = operation;
    item.after = after;
    items_.push_back(std::move(item));
    return static_cast<int>(items_.size()) - 1;
}

int Recipe::add_collective(std::string label, CollectiveKind kind, Bytes size)
{
    if (shard_.tensor == 1) {
        return kNothing;
    }
    Item item;
    item.kind = TaskKind::collective;
    item.label = std::move(label);
    item.collective = kind;
    item.size = size;
    items_.push_back(std::move(item));
    return static_cast<int>(items_.size()) - 1;
}

}  // namespace sim::workload
