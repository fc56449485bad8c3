#include "workload/offload_tasks.hpp"

#include <algorithm>
#include <cmath>

#include "workload/late_dependence.hpp"
#include "workload/residence.hpp"

namespace sim::workload
{

namespace
{

using spec::DataTier;

Bytes bytes_of(double bytes) { return Bytes::of(std::llround(bytes)); }

std::int64_t share_of(double share, std::int64_t count)
{
    return std::llround(share * static_cast<double>(count));
}

}  // namespace

OffloadTasks::OffloadTasks(const spec::WorkloadSpec& workload, const Stage& stage,
                           TaskWriter& writer)
    : workload_{workload},
      offload_{workload.offload.value_or(spec::OffloadSpec{})},
      shard_{shard(workload)},
      buffer_{staging_size(workload, stage)},
      writer_{writer},
      copies_{offload_, writer}
{
}

std::int64_t OffloadTasks::owned(std::int64_t parameters, std::int64_t experts) const
{
    const std::int64_t group = expert_group(plan());
    return owned_parameters(parameters, plan()) + (experts + group - 1) / group;
}

std::optional<Dependence> OffloadTasks::fetch_weights(std::int64_t parameters, std::int64_t experts,
                                                      bool resident)
{
    const auto size = bytes_of(offload_.weights.away() *
                               static_cast<double>(shard_.element * owned(parameters, experts)));
    if (size == Bytes{}) {
        return std::nullopt;
    }
    if (!weights_) {
        weights_ = CopyWindow{copies_.stream("weight fetch"), {}, 0};
    }
    std::vector<Dependence> after;
    const auto ahead = static_cast<std::size_t>(offload_.prefetch) + 1;
    if (!resident && weights_->copies++ >= ahead) {
        after.push_back(weights_->freed[weights_->copies - 1 - ahead]);
    }
    return copies_.write("weight fetch",
                         {.from = offload_.weights.tier, .to = DataTier::hbm, .size = size}, after);
}

void OffloadTasks::pass_ended(const Block& block)
{
    const auto last = writer_.builder().last(writer_.compute()).value();
    if (weights_ && block.layer) {
        weights_->freed.push_back(last);
    }
}

void OffloadTasks::gradients_leave(const Block& block, const Dependence& ready, bool last_of_step)
{
    leave(owned(block.trained, block.trained_experts), ready, last_of_step);
}

void OffloadTasks::gradients_leave(std::int64_t parameters, const Dependence& ready,
                                   bool last_of_step)
{
    leave(owned(parameters, 0), ready, last_of_step);
}

void OffloadTasks::leave(std::int64_t parameters, const Dependence& ready, bool last_of_step)
{
    const double share = offload_.gradients.tier == DataTier::hbm ? 0
                         : offload_.update_on_host                ? offload_.optimizer.away()
                                                                  : offload_.gradients.away();
    const auto leaving = share_of(share, parameters);
    if (leaving == 0) {
        return;
    }
    const Copy gradients{.from = DataTier::hbm,
                         .to = offload_.gradients.tier,
                         .size = Bytes::of(gradient_bytes() * leaving)};
    left_.push_back(copies_.write("gradients leave", gradients, {&ready, 1}));
    const auto count = static_cast<std::size_t>(offload_.buffers.count);
    if (left_.size() > count) {
        writer_.await(left_[left_.size() - 1 - count]);
    }
    if (last_of_step) {
        const auto before = arrivals_.empty() ? 0 : arrivals_.back().parameters;
        arrivals_.push_back({before + leaving, left_.back()});
    }
}

/// On drives and in pools the host's are kept as it updates with them.
std::int64_t OffloadTasks::gradient_bytes() const
{
    const bool far = is_far(offload_.gradients.tier) && offload_.update_on_host;
    return far ? std::max<std::int64_t>(shard_.gradient, kHostGradient) : shard_.gradient;
}

void OffloadTasks::await_update(std::int64_t updated_by_gpu)
{
    const auto size =
        bytes_of(offload_.weights.away() * static_cast<double>(shard_.element * updated_by_gpu));
    if (size > Bytes{}) {
        const auto updated = writer_.builder().last(writer_.compute()).value();
        updated_.push_back(copies_.write(
            "weight write", {.from = DataTier::hbm, .to = offload_.weights.tier, .size = size},
            {&updated, 1}));
    }
    if (!offload_.delayed_update) {
        for (const auto& task : updated_) {
            writer_.await(task);
        }
    }
}

void OffloadTasks::finish(Program& program) const
{
    for (auto task : updated_) {
        task.steps_back = offload_.delayed_update ? 2 : 1;
        const auto wait = [&](StreamId stream) {
            auto& tasks = program.streams[stream.index()].tasks;
            if (!tasks.empty()) {
                add_dependence(program, tasks.front(), task);
            }
        };
        if (offload_.delayed_update) {
            wait(writer_.compute());
        }
        if (weights_) {
            wait(weights_->stream);
        }
        for (std::size_t stream = 0; stream < program.streams.size(); ++stream) {
            if (program.streams[stream].name == "data" && plan().zero >= 2) {
                wait(StreamId{stream});
            }
        }
    }
}

}  // namespace sim::workload
