#include "workload/data_exchange.hpp"

#include <algorithm>
#include <limits>

#include "core/contract.hpp"
#include "workload/communicators.hpp"

namespace sim::workload
{

namespace
{

/// Tensors of a layer that have an owner of their own when parameters are broadcast: four matrices
/// of attention, up to three of the MLP, two norms.
std::int64_t tensors_of_layer(bool gated_mlp) { return gated_mlp ? 9 : 8; }

/// The gradients of the chunk's blocks in the order of the backward pass. `whole`: a block's come
/// at once.
std::vector<BlockGradients> gradients_of(const Chunk& chunk, bool whole)
{
    std::vector<BlockGradients> gradients;
    for (auto block = chunk.blocks.rbegin(); block != chunk.blocks.rend(); ++block) {
        auto& ready = gradients.emplace_back();
        const auto& put_off = (*block)->weights;
        const auto& completes = put_off.entries.empty() ? (*block)->backward : put_off;
        for (const auto& entry : completes.entries) {
            if (whole && !ready.empty()) {
                ready.back() += entry.gradients;
            } else {
                ready.push_back(entry.gradients);
            }
        }
    }
    return gradients;
}

}  // namespace

DataExchange::DataExchange(const spec::WorkloadSpec& workload, const Stage& stage,
                           const StageParts& parts, TaskWriter& writer)
    : workload_{workload},
      stage_{stage},
      shard_{shard(workload)},
      codec_{workload},
      learns_{trained_parameters(stage, shard_) > 0},
      writer_{writer}
{
    if (replicated() || stage_.shares_embedding()) {
        stream_ = writer_.builder().add_stream("data");
    }
    for (const auto& chunk : parts.chunks()) {
        chunks_.push_back({bucket_plan(chunk, chunks_.empty()), 0, 0, 0});
    }
    if (framework().bucketing == spec::Bucketing::stage) {
        join_chunks();
    }
    number_exchanges();
}

/// A bucket a chunk: all stages launch a chunk's at the same time, for which the later ones, which
/// come to their last micro-batch earlier, wait as many visits as there are stages before them.
bool DataExchange::waits_for_other_stages() const
{
    const auto bucketing = framework().bucketing;
    return plan().chunks > 1 &&
           (bucketing == spec::Bucketing::chunk || bucketing == spec::Bucketing::first_stage);
}

/// An embedding that two stages hold is complete when both have summed it.
bool DataExchange::leaves_last(const Block& block) const
{
    const auto bucketing = framework().bucketing;
    return block.embedding && stage_.shares_embedding() &&
           (bucketing == spec::Bucketing::chunk || bucketing == spec::Bucketing::layer);
}

BucketPlan DataExchange::bucket_plan(const Chunk& chunk, bool first_chunk) const
{
    constexpr auto endless = std::numeric_limits<std::int64_t>::max();
    const auto bucketing = framework().bucketing;
    const bool by_layer = bucketing == spec::Bucketing::layer ||
                          (bucketing == spec::Bucketing::chunk && plan().chunks == 1);
    auto gradients = gradients_of(chunk, by_layer);
    std::vector<bool> learns;
    for (const auto& block : gradients) {
        learns.push_back(std::any_of(block.begin(), block.end(), [](auto n) { return n > 0; }));
    }
    std::int64_t late = 0;
    for (std::size_t block = 0; block < gradients.size(); ++block) {
        if (leaves_last(*chunk.blocks[chunk.blocks.size() - 1 - block])) {
            for (auto& parameters : gradients[block]) {
                late += std::exchange(parameters, 0);
            }
        }
    }
    const bool by_size =
        bucketing == spec::Bucketing::size ||
        (bucketing == spec::Bucketing::first_stage && stage_.first() && first_chunk);
    const auto wanted = by_size    ? framework().gradient_bucket
                        : by_layer ? Bytes::of(1)
                                   : Bytes::of(endless);
    auto buckets = plan_buckets(gradients, wanted, shard_.gradient);
    for (std::size_t block = 0; block < gradients.size(); ++block) {
        if (late > 0 && leaves_last(*chunk.blocks[chunk.blocks.size() - 1 - block])) {
            buckets.first_of_block[block] = buckets.parameters.size();
        }
    }
    if (late > 0) {
        buckets.parameters.push_back(late);
    }
    for (std::size_t block = 0; block < gradients.size(); ++block) {
        if (!learns[block]) {
            buckets.first_of_block[block] = buckets.parameters.size();
        }
    }
    return buckets;
}

void DataExchange::join_chunks()
{
    std::int64_t all = 0;
    for (auto& chunk : chunks_) {
        for (const auto parameters : chunk.plan.parameters) {
            all += parameters;
        }
        chunk.plan.parameters.clear();
        std::fill(chunk.plan.first_of_block.begin(), chunk.plan.first_of_block.end(), 0);
    }
    if (all > 0) {
        chunks_.front().plan.parameters.push_back(all);
    }
}

void DataExchange::number_exchanges()
{
    for (auto& chunk : chunks_) {
        chunk.exchange = exchanges_;
        const auto buckets = static_cast<std::uint32_t>(chunk.plan.parameters.size());
        exchanges_ += buckets;
        reductions_ += replicated() ? buckets : 0;
    }
    reductions_ += (stage_.shares_embedding() ? 1 : 0) + (finds_overflow() ? 1 : 0);
    reductions_ += sums_norm() ? 1 : 0;
    if (framework().parameter_exchange == spec::ParameterExchange::broadcast) {
        exchanges_ = static_cast<std::uint32_t>(owners());
    }
}

/// The step before left the exchange of these parameters running.
void DataExchange::await_parameters(std::size_t chunk, std::size_t block)
{
    if (!shares_state()) {
        return;
    }
    const bool gathered = framework().parameter_exchange == spec::ParameterExchange::gather;
    if (framework().overlap_parameters && gathered) {
        const auto& buckets = chunks_[chunk];
        const auto& first = buckets.plan.first_of_block;
        const auto own = static_cast<std::uint32_t>(buckets.plan.parameters.size());
        const auto bucket = static_cast<std::uint32_t>(first[first.size() - 1 - block]);
        if (bucket < own) {
            writer_.await({*stream_, reductions_ + buckets.exchange + own - 1 - bucket, 1});
        }
    } else if (chunk == 0 && block == 0) {
        writer_.await({*stream_, reductions_ + exchanges_ - 1, 1});
    }
}

void DataExchange::gradients_ready(std::size_t chunk, const Block& block, std::int64_t parameters)
{
    if (!replicated() || !framework().overlap_gradients || leaves_last(block)) {
        return;
    }
    auto& buckets = chunks_[chunk];
    buckets.open += parameters;
    const auto next = buckets.reduced + static_cast<std::size_t>(std::count_if(
                                            waiting_.begin(), waiting_.end(),
                                            [&](const auto& w) { return w.chunk == chunk; }));
    if (next >= buckets.plan.parameters.size() || buckets.open != buckets.plan.parameters[next]) {
        return;
    }
    buckets.open = 0;
    if (waits_for_other_stages() && stage_.index > 0) {
        waiting_.push_back({chunk, stage_.index + 1});
    } else {
        reduce_bucket(buckets);
    }
}

void DataExchange::visit_ended()
{
    for (auto& waiting : waiting_) {
        --waiting.visits;
    }
    while (!waiting_.empty() && waiting_.front().visits <= 0) {
        reduce_bucket(chunks_[waiting_.front().chunk]);
        waiting_.pop_front();
    }
}

void DataExchange::reduce_bucket(ChunkBuckets& chunk)
{
    const GradientCodec::Sum sum{chunk.plan.parameters[chunk.reduced], spec::replicas(plan()),
                                 shards_over_all_replicas()};
    if (codec_.compresses()) {
        writer_.stream("pack gradients", workload_.precision, codec_.packing_bytes(sum));
        unpacking_ += codec_.unpacking_bytes(sum);
    }
    append("gradient bucket", {codec_.collective(sum), codec_.size(sum), number(Slot::data), 0});
    ++chunk.reduced;
}

Dependence DataExchange::append(const char* label, Collective collective)
{
    const auto payload = writer_.builder().collective(label, collective);
    return writer_.append_after_compute({*stream_, TaskKind::collective, payload});
}

void DataExchange::reduce_what_is_left()
{
    for (auto chunk = chunks_.rbegin(); replicated() && chunk != chunks_.rend(); ++chunk) {
        while (chunk->reduced < chunk->plan.parameters.size()) {
            reduce_bucket(*chunk);
        }
    }
    if (stage_.shares_embedding()) {
        const auto size = Bytes::of(shard_.vocab * shard_.hidden * shard_.gradient);
        append("tied embedding", {CollectiveKind::all_reduce, size, number(Slot::embedding), 0});
    }
    if (unpacking_ > 0) {
        writer_.await(writer_.builder().last(*stream_).value());
        writer_.stream("unpack gradients", workload_.precision, unpacking_);
    }
    finish_gradients();
    if (stream_ && writer_.builder().last(*stream_)) {
        writer_.await(*writer_.builder().last(*stream_));
    }
}

/// Loss scaling reads and writes the gradients that the rank updates, and all replicas hear whether
/// one has overflowed; clipping needs their norm.
void DataExchange::finish_gradients()
{
    const auto scalar = Bytes::of(4);
    if (workload_.loss_scaling) {
        if (stream_ && writer_.builder().last(*stream_)) {
            writer_.await(*writer_.builder().last(*stream_));
        }
        const auto owned = static_cast<double>(updated_parameters(stage_, shard_, plan()));
        writer_.stream("unscale gradients", workload_.precision,
                       2 * static_cast<double>(shard_.gradient) * owned);
    }
    if (finds_overflow()) {
        append("overflow check", {CollectiveKind::all_reduce, scalar, number(Slot::data), 0});
    }
    if (sums_norm()) {
        append("gradient norm", {CollectiveKind::all_reduce, scalar, number(Slot::data), 0});
    }
}

std::vector<Dependence> DataExchange::reduced() const
{
    std::vector<Dependence> last{writer_.builder().last(writer_.compute()).value()};
    if (stream_) {
        last.push_back(writer_.builder().last(*stream_).value());
    }
    return last;
}

void DataExchange::exchange_parameters()
{
    if (!shares_state()) {
        return;
    }
    if (framework().parameter_exchange == spec::ParameterExchange::broadcast) {
        broadcast_by_owner();
        return;
    }
    const auto slot = number(shards_over_all_replicas() ? Slot::data : Slot::zero);
    for (const auto& chunk : chunks_) {
        for (auto bucket = chunk.plan.parameters.size(); bucket-- > 0;) {
            const auto size = Bytes::of(chunk.plan.parameters[bucket] * shard_.element);
            append("parameter bucket", {CollectiveKind::all_gather, size, slot, 0});
        }
    }
}

/// Whole tensors belong to whoever has least, so there are no more owners than tensors.
std::int64_t DataExchange::owners() const
{
    const auto ends = (stage_.first() ? 1 : 0) + (stage_.owns_head() ? 1 : 0) + stage_.last();
    const auto tensors = stage_.layers * tensors_of_layer(shard_.gated_mlp) + ends;
    return std::min<std::int64_t>(optimizer_group(plan()), tensors);
}

void DataExchange::broadcast_by_owner()
{
    const auto slot = number(shards_over_all_replicas() ? Slot::data : Slot::zero);
    const auto all = trained_parameters(stage_, shard_) * shard_.element;
    const auto count = owners();
    for (std::int64_t owner = 0; owner < count; ++owner) {
        const auto size = Bytes::of(all / count + (owner < all % count ? 1 : 0));
        append("parameter broadcast", {CollectiveKind::broadcast, size, slot, 0});
    }
    // The update returns when the last one has arrived; what the host does then comes after.
    writer_.await(*writer_.builder().last(*stream_));
}

}  // namespace sim::workload
