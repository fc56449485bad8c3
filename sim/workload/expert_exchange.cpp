#include "workload/expert_exchange.hpp"

#include <algorithm>

#include "workload/communicators.hpp"

namespace sim::workload
{

ExpertExchange::ExpertExchange(const spec::WorkloadSpec& workload, const StageParts& parts,
                               TaskWriter& writer)
    : workload_{workload}, shard_{shard(workload)}, codec_{workload}, writer_{writer}
{
    std::int64_t all = 0;
    for (const auto& chunk : parts.chunks()) {
        auto& experts = experts_.emplace_back();
        for (const auto* block : chunk.blocks) {
            experts += block->trained_experts;
        }
        all += experts;
    }
    if (all > 0 && expert_replicas(workload.plan) > 1) {
        stream_ = writer_.builder().add_stream("expert data");
    }
    for (std::size_t chunk = 0; chunk < experts_.size(); ++chunk) {
        if (experts_[chunk] > 0) {
            gathered_.push_back(chunk);
        }
    }
}

Dependence ExpertExchange::append(const char* label, CollectiveKind kind, Bytes size)
{
    const auto payload =
        writer_.builder().collective(label, {kind, size, number(Slot::expert_data), 0});
    if (const auto kernel = writer_.builder().last(writer_.compute())) {
        return writer_.append_apart({*stream_, TaskKind::collective, payload},
                                    std::span{&*kernel, 1});
    }
    return writer_.append_apart({*stream_, TaskKind::collective, payload}, {});
}

void ExpertExchange::reduce(std::size_t chunk)
{
    if (!stream_ || experts_[chunk] == 0) {
        return;
    }
    const GradientCodec::Sum sum{experts_[chunk], expert_replicas(workload_.plan),
                                 workload_.plan.zero > 0};
    if (codec_.compresses()) {
        writer_.stream("pack gradients", workload_.precision, codec_.packing_bytes(sum));
        unpacking_ += codec_.unpacking_bytes(sum);
    }
    append("expert gradients", codec_.collective(sum), codec_.size(sum));
}

void ExpertExchange::await_reductions()
{
    if (stream_) {
        writer_.await(writer_.builder().last(*stream_).value());
    }
    if (unpacking_ > 0) {
        writer_.stream("unpack gradients", workload_.precision, unpacking_);
    }
}

void ExpertExchange::gather()
{
    if (!stream_ || workload_.plan.zero == 0) {
        return;
    }
    for (const auto chunk : gathered_) {
        append("expert parameters", CollectiveKind::all_gather,
               Bytes::of(experts_[chunk] * shard_.element));
    }
}

/// The stream has one reduction a chunk with experts, then its gathers.
void ExpertExchange::await_parameters(std::size_t chunk)
{
    const auto found = std::find(gathered_.begin(), gathered_.end(), chunk);
    if (stream_ && workload_.plan.zero > 0 && found != gathered_.end()) {
        const auto position =
            gathered_.size() + static_cast<std::size_t>(found - gathered_.begin());
        writer_.await({*stream_, static_cast<std::uint32_t>(position), 1});
    }
}

}  // namespace sim::workload
