#include "workload/recipe.hpp"

#include <algorithm>
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

int Recipe::grouped_gemm(std::string label, GemmShape shape, std::int64_t groups, int after)
{
    auto operation = gemm_operation(shape, shard_.precision);
    operation.batch = groups;
    operation.flops = static_cast<double>(groups) * operation.flops;
    const auto elements = shape.m * shape.k + shape.k * shape.n + shape.m * shape.n;
    operation.bytes = static_cast<double>(shard_.element * groups * elements);
    return add_kernel(std::move(label), operation, after);
}

void Recipe::expert_gradient(std::string label, GemmShape shape)
{
    if (shard_.frozen()) {
        return;
    }
    const auto groups = shard_.experts.held;
    auto operation = gemm_operation(shape, shard_.precision);
    operation.batch = groups;
    operation.flops = static_cast<double>(groups) * operation.flops;
    const auto inputs = shard_.element * (shape.m * shape.k + shape.k * shape.n);
    const auto written = shard_.gradient * shape.m * shape.n;
    operation.bytes =
        static_cast<double>(groups * (inputs + (shard_.fused_accumulation ? 2 : 1) * written));
    add_kernel(std::move(label), operation, kNothing);
    mark_of_weights();
    if (!shard_.fused_accumulation) {
        streaming("gradient add", 3 * groups * written);
        mark_of_weights();
    }
    expert_gradients_ready(groups * shape.m * shape.n);
}

void Recipe::gradients_ready(std::int64_t parameters)
{
    items_.back().gradients += shard_.frozen() ? 0 : parameters;
}

void Recipe::expert_gradients_ready(std::int64_t parameters)
{
    items_.back().expert_gradients += shard_.frozen() ? 0 : parameters;
}

void Recipe::gradients_not_ready(int item)
{
    if (item != kNothing) {
        items_[static_cast<std::size_t>(item)].gradients = 0;
    }
}

void Recipe::align_rows(std::int64_t elements)
{
    constexpr std::int64_t line = 16;
    const bool unaligned = elements * shard_.element % line != 0;
    for (auto& item : items_) {
        const bool product = item.operation.kind == spec::OperationKind::gemm;
        item.operation.unaligned = item.kind == TaskKind::kernel && product && unaligned;
    }
}

int Recipe::weight_gradient(std::string label, GemmShape shape, int after)
{
    if (shard_.frozen() || shard_.frozen_matrices) {
        return kNothing;
    }
    auto operation = gemm_operation(shape, shard_.precision);
    const auto inputs = shard_.element * (shape.m * shape.k + shape.k * shape.n);
    const auto written = shard_.gradient * shape.m * shape.n;
    operation.bytes = static_cast<double>(inputs + (shard_.fused_accumulation ? 2 : 1) * written);
    int item = add_kernel(std::move(label), operation, after);
    mark_of_weights();
    if (!shard_.fused_accumulation) {
        item = streaming("gradient add", 3 * written);
        mark_of_weights();
    }
    items_.back().gradients += shape.m * shape.n;
    return item;
}

void Recipe::attention(bool backward, spec::Mixer mixer)
{
    if (shard_.attention != spec::AttentionLibrary::unfused) {
        fused_attention(backward, mixer);
    } else if (backward) {
        unfused_attention_backward();
    } else {
        unfused_attention_forward();
    }
}

spec::Operation Recipe::attention_operation(bool backward, spec::Mixer mixer) const
{
    const auto keys = shard_.keys_seen(mixer);
    spec::Operation operation;
    operation.kind = spec::OperationKind::attention;
    operation.library = shard_.attention;
    operation.backward = backward;
    operation.precision = attention_precision(shard_.precision);
    operation.m = shard_.sequence / shard_.context;
    operation.n = keys;
    operation.k = shard_.attention_width();
    operation.batch = shard_.heads * shard_.sequences;

    const auto square = product(static_cast<double>(shard_.tokens), static_cast<double>(keys),
                                static_cast<double>(shard_.heads * shard_.attention_width()));
    const double forward_flops = 2 * square;
    operation.flops = Flops::of(backward ? 2.5 * forward_flops : forward_flops);

    const auto touched = shard_.attention_touches();  // q, k, v and the output
    const auto passes = backward ? 2 : 1;             // and the gradient of each
    operation.bytes = static_cast<double>(passes * shard_.element * shard_.tokens * touched);
    return operation;
}

void Recipe::fused_attention(bool backward, spec::Mixer mixer)
{
    if (shard_.context > 1) {
        shared_attention(backward, mixer);
        return;
    }
    add_kernel(backward ? "attention backward" : "attention", attention_operation(backward, mixer),
               kNothing);
}

void Recipe::adapter_forward(std::int64_t in, std::int64_t out)
{
    if (shard_.adapter_rank > 0) {
        gemm("adapter down", {shard_.tokens, shard_.adapter_rank, in});
        gemm("adapter up", {shard_.tokens, out, shard_.adapter_rank});
        streaming("adapter add", 3 * shard_.element * shard_.tokens * out);
    }
}

void Recipe::adapter_backward(std::int64_t in, std::int64_t out)
{
    const auto rank = shard_.adapter_rank;
    if (rank == 0) {
        return;
    }
    gemm("adapter up dgrad", {shard_.tokens, rank, out});
    gemm("adapter up wgrad", {out, rank, shard_.tokens});
    items_.back().gradients += out * rank;
    mark_of_weights();
    gemm("adapter down dgrad", {shard_.tokens, in, rank});
    gemm("adapter down wgrad", {rank, in, shard_.tokens});
    items_.back().gradients += in * rank;
    mark_of_weights();
    streaming("adapter add", 3 * shard_.element * shard_.tokens * in);
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

void Recipe::mark_of_weights() { items_.back().of_weights = true; }

void Recipe::widen_weights(std::int64_t parameters)
{
    if (shard_.widens_weights && parameters > 0) {
        const double each = shard_.weight + static_cast<double>(shard_.element);
        streaming("widen weights",
                  static_cast<std::int64_t>(each * static_cast<double>(parameters)));
    }
}

void Recipe::cast(std::int64_t elements)
{
    const double narrow = spec::element_bytes(shard_.precision);
    if (narrow < 2) {
        streaming("cast",
                  static_cast<std::int64_t>((static_cast<double>(shard_.element) + 2 * narrow) *
                                            static_cast<double>(elements)));
    }
}

int Recipe::gathered_gemm(const std::string& label, GemmShape shape, std::string gather_label)
{
    const int gathered = gather(std::move(gather_label));
    if (!pipelines()) {
        return gemm(label, shape, gathered);
    }
    auto last = shape;
    last.m = std::max<std::int64_t>(1, shape.m / shard_.tensor);
    shape.m -= last.m;
    gemm(label, shape);
    return gemm(label, last, gathered);
}

int Recipe::reduced_gemm(const std::string& label, GemmShape shape, std::string reduce_label)
{
    constexpr std::int64_t parts = 4;
    if (!pipelines() || shape.m < parts) {
        gemm(label, shape);
        return reduce(std::move(reduce_label));
    }
    auto first = shape;
    first.m = shape.m / parts;
    shape.m -= first.m;
    const auto all = shard_.element * shard_.tokens * shard_.hidden;
    gemm(label, first);
    add_collective(reduce_label, CollectiveKind::reduce_scatter, Bytes::of(all - all / parts));
    gemm(label, shape);
    return add_collective(std::move(reduce_label), CollectiveKind::reduce_scatter,
                          Bytes::of(all / parts));
}

int Recipe::gather(std::string label)
{
    if (!shard_.sequence_parallel) {
        return kNothing;
    }
    // Pipelined gathers carry what the product reads, be it narrower than what is stored.
    const auto narrow = static_cast<std::int64_t>(spec::element_bytes(shard_.precision));
    const auto element =
        pipelines() && narrow > 0 ? std::min(shard_.element, narrow) : shard_.element;
    const auto size = Bytes::of(element * shard_.tokens * shard_.hidden);
    return add_collective(std::move(label), CollectiveKind::all_gather, size);
}

int Recipe::gather(std::string label, std::int64_t width)
{
    if (!shard_.sequence_parallel) {
        return kNothing;
    }
    const auto size = Bytes::of(shard_.element * shard_.tokens * width);
    return add_collective(std::move(label), CollectiveKind::all_gather, size);
}

int Recipe::reduce(std::string label) { return reduce(std::move(label), shard_.hidden); }

int Recipe::reduce(std::string label, std::int64_t width)
{
    const auto size = Bytes::of(shard_.element * shard_.tokens * width);
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

int Recipe::exchange(std::string label, CollectiveKind kind, Slot slot, Bytes size)
{
    const int ranks = slot == Slot::expert ? shard_.experts.ranks : shard_.experts.tensor;
    return ranks == 1 ? kNothing : append_collective(std::move(label), kind, slot, size);
}

int Recipe::add_collective(std::string label, CollectiveKind kind, Bytes size)
{
    return shard_.tensor == 1 ? kNothing
                              : append_collective(std::move(label), kind, Slot::tensor, size);
}

int Recipe::append_collective(std::string label, CollectiveKind kind, Slot slot, Bytes size)
{
    Item item;
    item.kind = TaskKind::collective;
    item.label = std::move(label);
    item.collective = kind;
    item.slot = slot;
    item.size = size;
    items_.push_back(std::move(item));
    return static_cast<int>(items_.size()) - 1;
}

}  // namespace sim::workload
