#include "workload/offload_tasks.hpp"

#include <algorithm>
#include <cmath>

#include "workload/late_dependence.hpp"

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

OffloadTasks::OffloadTasks(const spec::WorkloadSpec& workload, TaskWriter& writer)
    : workload_{workload},
      offload_{workload.offload.value_or(spec::OffloadSpec{})},
      shard_{shard(workload)},
      writer_{writer}
{
}

std::int64_t OffloadTasks::owned(std::int64_t parameters, std::int64_t experts) const
{
    const std::int64_t group = expert_group(plan());
    return owned_parameters(parameters, plan()) + (experts + group - 1) / group;
}

/// Streams appear with their first copy, so that what is not used is not there.
StreamId OffloadTasks::stream(const char* name)
{
    const auto found = streams_.find(name);
    if (found != streams_.end()) {
        return found->second;
    }
    return streams_.emplace(name, writer_.builder().add_stream(name)).first->second;
}

Dependence OffloadTasks::copy(const char* name, Copy copy, std::span<const Dependence> after)
{
    copy.through_dram = offload_.through_dram;
    copy.purpose = purpose_of(copy.from, copy.to);
    std::vector<Dependence> dependences{after.begin(), after.end()};
    if (offload_.blocking) {
        if (const auto kernel = writer_.builder().last(writer_.compute())) {
            dependences.push_back(*kernel);
        }
    }
    const auto payload = writer_.builder().copy(name, copy);
    const auto appended =
        writer_.append_apart({stream(name), TaskKind::copy, payload}, dependences);
    if (offload_.blocking) {
        writer_.await(appended);
    }
    return appended;
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
        weights_ = CopyWindow{stream("weight fetch"), {}, 0};
    }
    std::vector<Dependence> after;
    const auto ahead = static_cast<std::size_t>(offload_.prefetch) + 1;
    if (!resident && weights_->copies++ >= ahead) {
        after.push_back(weights_->freed[weights_->copies - 1 - ahead]);
    }
    return copy("weight fetch", {.from = offload_.weights.tier, .to = DataTier::hbm, .size = size},
                after);
}

void OffloadTasks::pass_ended(const Block& block)
{
    const auto last = writer_.builder().last(writer_.compute()).value();
    if (weights_ && block.layer) {
        weights_->freed.push_back(last);
    }
    if (kept_window_ && kept_window_->copies > kept_window_->freed.size()) {
        kept_window_->freed.push_back(last);
    }
}

void OffloadTasks::keep(const PassKey& pass, const Block& block)
{
    const auto size =
        bytes_of(offload_.activations.away() * static_cast<double>(block.kept.base()));
    if (size == Bytes{}) {
        return;
    }
    const auto made = writer_.builder().last(writer_.compute()).value();
    const auto left =
        copy("activations leave",
             {.from = DataTier::hbm, .to = offload_.activations.tier, .size = size}, {&made, 1});
    kept_.insert_or_assign(pass, left);
    evicted_.push_back(left);
    const auto count = static_cast<std::size_t>(offload_.buffers.count);
    if (evicted_.size() > count) {  // its memory is the next pass's
        writer_.await(evicted_[evicted_.size() - 1 - count]);
    }
}

void OffloadTasks::await_kept(const PassKey& pass, const Block& block)
{
    const auto left = kept_.find(pass);
    if (left == kept_.end()) {
        return;
    }
    if (!kept_window_) {
        kept_window_ = CopyWindow{stream("activation fetch"), {}, 0};
    }
    std::vector<Dependence> after{left->second};
    const auto ahead = static_cast<std::size_t>(offload_.prefetch) + 1;
    if (kept_window_->copies++ >= ahead) {
        after.push_back(kept_window_->freed[kept_window_->copies - 1 - ahead]);
    }
    const auto size =
        bytes_of(offload_.activations.away() * static_cast<double>(block.kept.base()));
    writer_.await(copy("activation fetch",
                       {.from = offload_.activations.tier, .to = DataTier::hbm, .size = size},
                       after));
    kept_.erase(left);
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
                         .size = Bytes::of(shard_.gradient * leaving)};
    left_.push_back(copy("gradients leave", gradients, {&ready, 1}));
    const auto count = static_cast<std::size_t>(offload_.buffers.count);
    if (left_.size() > count) {
        writer_.await(left_[left_.size() - 1 - count]);
    }
    if (last_of_step) {
        const auto before = arrivals_.empty() ? 0 : arrivals_.back().parameters;
        arrivals_.push_back({before + leaving, left_.back()});
    }
}

void OffloadTasks::await_update(std::int64_t updated_by_gpu)
{
    const auto size =
        bytes_of(offload_.weights.away() * static_cast<double>(shard_.element * updated_by_gpu));
    if (size > Bytes{}) {
        const auto updated = writer_.builder().last(writer_.compute()).value();
        updated_.push_back(copy("weight write",
                                {.from = DataTier::hbm, .to = offload_.weights.tier, .size = size},
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
