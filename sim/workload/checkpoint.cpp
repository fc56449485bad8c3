#include "workload/checkpoint.hpp"

#include <array>
#include <cmath>

#include "core/contract.hpp"
#include "workload/late_dependence.hpp"

namespace sim::workload
{

namespace
{

using spec::DataTier;

/// Appends to one stream of a program that is otherwise whole.
class Appender
{
public:
    Appender(Program& program, std::vector<std::string>& labels)
        : program_{program}, labels_{labels}
    {
    }

    Dependence copy(const char* name, Copy copy, const std::vector<Dependence>& after)
    {
        copy.purpose = Purpose::checkpoint;
        copy.label = static_cast<std::uint32_t>(labels_.size());
        labels_.emplace_back(name);
        program_.copies.push_back(copy);
        Task task{TaskKind::copy, static_cast<std::uint32_t>(program_.copies.size() - 1), 0, 0};
        for (const auto& dependence : after) {
            add_dependence(program_, task, dependence);
        }
        program_.streams.push_back({name, {task}});
        return {StreamId{program_.streams.size() - 1}, 0, 0};
    }

    [[nodiscard]] std::size_t streams() const { return program_.streams.size(); }

private:
    Program& program_;
    std::vector<std::string>& labels_;
};

Dependence in_step_before(Dependence dependence)
{
    dependence.steps_back = 1;
    return dependence;
}

}  // namespace

Bytes checkpoint_bytes(const spec::WorkloadSpec& workload, const Stage& stage)
{
    const auto part = shard(workload);
    const double each =
        static_cast<double>(part.element) + workload.framework.optimizer_state_bytes;
    const auto& plan = workload.plan;
    const auto parameters = parameters_of(stage, part);
    const auto shared = static_cast<double>(parameters.trained_shared);
    const auto experts = static_cast<double>(parameters.trained_experts);
    const double replicas = workload.checkpoint->sharded ? spec::replicas(plan) : 1;
    const double expert_copies = workload.checkpoint->sharded ? expert_replicas(plan) : 1;
    return Bytes::of(std::llround(each * (shared / replicas + experts / expert_copies)));
}

namespace
{

/// What of a checkpoint is in host memory already, or comes by it.
double away(const spec::WorkloadSpec& workload)
{
    if (!workload.offload) {
        return 0;
    }
    const auto element = static_cast<double>(shard(workload).element);
    const double state = workload.framework.optimizer_state_bytes;
    return (element * workload.offload->weights.away() +
            state * workload.offload->optimizer.away()) /
           (element + state);
}

/// A copy of each part in host memory, written behind the next step; its tasks that are awaited.
std::vector<Dependence> save_behind(Appender& appender, const spec::WorkloadSpec& workload,
                                    std::array<Bytes, 2> parts, std::vector<Dependence> after)
{
    const StreamId writer{appender.streams() + (parts[0] > Bytes{} ? 1 : 0) +
                          (parts[1] > Bytes{} ? 1 : 0)};
    after.push_back({writer, 0, 1});  // whose memory these take
    std::vector<Dependence> copied;
    if (parts[0] > Bytes{}) {
        copied.push_back(
            appender.copy("checkpoint copy",
                          {.from = DataTier::hbm, .to = DataTier::dram, .size = parts[0]}, after));
    }
    if (parts[1] > Bytes{}) {  // read and written
        copied.push_back(appender.copy(
            "checkpoint copy in host memory",
            {.from = DataTier::dram, .to = DataTier::dram, .size = 2 * parts[1]}, after));
    }
    appender.copy(
        "checkpoint",
        {.from = DataTier::dram, .to = workload.checkpoint->to, .size = parts[0] + parts[1]},
        copied);
    return copied;
}

std::vector<Dependence> save_at_once(Appender& appender, const spec::WorkloadSpec& workload,
                                     std::array<Bytes, 2> parts,
                                     const std::vector<Dependence>& after)
{
    const auto& saved = *workload.checkpoint;
    std::vector<Dependence> written;
    if (parts[0] > Bytes{}) {
        Copy whole{.from = DataTier::hbm, .to = saved.to, .size = parts[0]};
        whole.through_dram = saved.through_dram;
        written.push_back(appender.copy("checkpoint", whole, after));
    }
    if (parts[1] > Bytes{}) {
        const bool stays = saved.to == DataTier::dram;
        written.push_back(appender.copy(
            "checkpoint from host memory",
            {.from = DataTier::dram, .to = saved.to, .size = stays ? 2 * parts[1] : parts[1]},
            after));
    }
    return written;
}

}  // namespace

void add_checkpoint(Program& program, const spec::WorkloadSpec& workload, const Stage& stage,
                    std::vector<std::string>& labels)
{
    SIM_EXPECT(workload.checkpoint && !program.streams.empty());
    const auto size = checkpoint_bytes(workload, stage);
    const auto in_host = Bytes::of(std::llround(away(workload) * static_cast<double>(size.base())));
    const std::array<Bytes, 2> parts{size - in_host, in_host};
    const auto last = static_cast<std::uint32_t>(program.streams[0].tasks.size() - 1);
    Appender appender{program, labels};
    const std::vector<Dependence> after{{StreamId{0}, last, 0}};
    const auto awaited = workload.checkpoint->asynchronous
                             ? save_behind(appender, workload, parts, after)
                             : save_at_once(appender, workload, parts, after);
    for (const auto& task : awaited) {
        add_dependence(program, program.streams[0].tasks.front(), in_step_before(task));
    }
}

}  // namespace sim::workload
