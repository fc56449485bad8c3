// Attention of ranks that share the tokens of each sequence. sim/workload/plans.md

#include <string>

#include "workload/recipe.hpp"

namespace sim::workload
{

void Recipe::shared_attention(bool backward, spec::Mixer mixer)
{
    switch (shard_.context_exchange) {
        case spec::ContextExchange::ring:
            ring_attention(backward, mixer);
            break;
        case spec::ContextExchange::all_gather:
            gathered_attention(backward, mixer);
            break;
        case spec::ContextExchange::all_to_all:
            exchanged_attention(backward, mixer);
            break;
    }
}

/// A rank begins with its own keys and values. Their gradients go round as well: all but the last
/// piece while others are worked on.
void Recipe::ring_attention(bool backward, spec::Mixer mixer)
{
    const std::int64_t ranks = shard_.context;
    const auto all = shard_.element * shard_.key_values() * shard_.tokens * ranks;
    const int gathered = add_context("key and value ring", CollectiveKind::all_gather, all);
    auto own = attention_operation(backward, mixer);
    auto others = own;
    own.n /= ranks;
    own.flops = (1.0 / static_cast<double>(ranks)) * own.flops;
    own.bytes /= static_cast<double>(ranks);
    others.n -= own.n;
    others.flops = (1 - 1.0 / static_cast<double>(ranks)) * others.flops;
    others.bytes -= own.bytes;
    const std::string label = backward ? "attention backward" : "attention";
    add_kernel(label, own, kNothing);
    if (backward) {
        add_context("key and value gradients", CollectiveKind::reduce_scatter, all - all / ranks);
    }
    add_kernel(label, others, gathered);
    merge_ring(backward);
    if (backward) {
        const int last =
            add_context("key and value gradients", CollectiveKind::reduce_scatter, all / ranks);
        streaming("key and value gradient", 2 * all / ranks, last);
    }
}

/// Each step's output is scaled into the sum, kept in fp32: read as it is, the sum read and
/// written; the queries' gradient is added up as it is. Steps after the first leave half of the
/// queries out.
void Recipe::merge_ring(bool backward)
{
    constexpr std::int64_t sum = 4;
    const auto outputs = shard_.tokens * shard_.attention_outputs();
    const auto each = backward ? 3 * shard_.element : shard_.element + 2 * sum;
    streaming(backward ? "query gradient sum" : "ring sum",
              each * outputs * (shard_.context + 1) / 2);
}

/// Everything is there before a rank begins, and its gradients leave when all are made.
void Recipe::gathered_attention(bool backward, spec::Mixer mixer)
{
    const auto own = shard_.element * shard_.key_values() * shard_.tokens;
    const auto all = own * shard_.context;
    const int gathered = add_context("key and value gather", CollectiveKind::all_gather, all);
    add_kernel(backward ? "attention backward" : "attention", attention_operation(backward, mixer),
               gathered);
    if (backward) {
        const int summed =
            add_context("key and value gradients", CollectiveKind::reduce_scatter, all);
        streaming("key and value gradient", 2 * own, summed);
    }
}

/// Heads for tokens, and back. What is sent is put together by receiver first and taken apart when
/// it has come.
void Recipe::exchanged_attention(bool backward, spec::Mixer mixer)
{
    const auto inputs = shard_.tokens * shard_.qkv();
    const auto output = shard_.tokens * shard_.query();
    auto operation = attention_operation(backward, mixer);
    operation.m = shard_.sequence;
    operation.batch /= shard_.context;
    if (backward) {
        exchange_heads("head gradient exchange", output);
        add_kernel("attention backward", operation, kNothing);
        exchange_heads("token gradient exchange", inputs);
    } else {
        exchange_heads("head exchange", inputs);
        add_kernel("attention", operation, kNothing);
        exchange_heads("token exchange", output);
    }
}

void Recipe::exchange_heads(const std::string& label, std::int64_t elements)
{
    const auto bytes = shard_.element * elements;
    streaming(label + " packing", 2 * bytes);
    const int exchanged = add_context(label, CollectiveKind::all_to_all, bytes);
    streaming(label + " unpacking", 2 * bytes, exchanged);
}

int Recipe::add_context(std::string label, CollectiveKind kind, std::int64_t bytes)
{
    return append_collective(std::move(label), kind, Slot::context, Bytes::of(bytes));
}

}  // namespace sim::workload
