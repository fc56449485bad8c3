#include "workload/block_runner.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "spec/workload.hpp"

namespace sim::workload
{

BlockRunner::BlockRunner(const spec::WorkloadSpec& workload, TaskWriter& writer)
    : workload_{workload}, writer_{writer}
{
    const auto& plan = workload.plan;
    if (plan.tensor > 1 || plan.expert > 1 || plan.expert_tensor > 1) {
        tensor_ = writer_.builder().add_stream("tensor");
    }
    if (workload.plan.context > 1) {
        context_ = writer_.builder().add_stream("context");
    }
    if (workload.framework.hidden_exchanges && plan.expert * plan.expert_tensor > 1) {
        experts_ = writer_.builder().add_stream("experts");
    }
}

void BlockRunner::add_host()
{
    const auto& framework = workload_.framework;
    const auto most =
        std::max({framework.issue_forward, framework.issue_backward, framework.issue_experts,
                  framework.issue_each_expert, framework.issue_collective, framework.step_overhead,
                  framework.transfer_restart});
    if (most > Time{}) {
        host_ = writer_.builder().add_stream("host");
    }
}

void BlockRunner::issue(Time time, std::span<const Dependence> after)
{
    if (host_ && time > Time{}) {
        const auto work = writer_.builder().host_work("issue", time);
        issued_ = writer_.append_apart({*host_, TaskKind::kernel, work}, after);
    }
}

void BlockRunner::restart(const char* label, Time time)
{
    if (host_) {
        const auto work = writer_.builder().host_work(label, time);
        writer_.await(writer_.append_after_compute({*host_, TaskKind::kernel, work}));
    }
}

StreamId BlockRunner::stream_of(Slot slot) const
{
    if (slot == Slot::context) {
        return *context_;
    }
    const bool travels = slot == Slot::expert || slot == Slot::expert_tensor;
    return travels && experts_ ? *experts_ : *tensor_;
}

void BlockRunner::run(const PreparedRecipe& recipe, const GradientsReady& gradients_ready)
{
    std::vector<Dependence> ended;
    for (std::size_t index = 0; index < recipe.entries.size(); ++index) {
        const auto& entry = recipe.entries[index];
        if (entry.kind == TaskKind::collective) {
            ended.push_back(
                writer_.append_after_compute({stream_of(entry.slot), entry.kind, entry.payload}));
            continue;
        }
        if (entry.after != kNothing) {
            writer_.await(ended[static_cast<std::size_t>(entry.after)]);
        }
        if (issued_ && index == recipe.last_kernel) {
            writer_.await(*std::exchange(issued_, std::nullopt));
        }
        ended.push_back(writer_.append({writer_.compute(), entry.kind, entry.payload}));
        if (gradients_ready) {
            gradients_ready(entry.gradients);
        }
    }
    if (!recipe.entries.empty() && recipe.entries.back().kind == TaskKind::collective) {
        writer_.await(ended.back());
    }
}

void BlockRunner::stream(const char* label, double bytes)
{
    writer_.stream(label, workload_.precision, bytes);
}

}  // namespace sim::workload
