#include "workload/checkpoint.hpp"

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
    auto plan = workload.plan;
    const auto parameters = parameters_of(stage, part);
    const auto shared = static_cast<double>(parameters.trained_shared);
    const auto experts = static_cast<double>(parameters.trained_experts);
    const double replicas = workload.checkpoint->sharded ? spec::replicas(plan) : 1;
    const double expert_copies = workload.checkpoint->sharded ? expert_replicas(plan) : 1;
    return Bytes::of(std::llround(each * (shared / replicas + experts / expert_copies)));
}

void add_checkpoint(Program& program, const spec::WorkloadSpec& workload, const Stage& stage,
                    std::vector<std::string>& labels)
{
    SIM_EXPECT(workload.checkpoint && !program.streams.empty());
    const auto& saved = *workload.checkpoint;
    const auto size = checkpoint_bytes(workload, stage);
    const auto last = static_cast<std::uint32_t>(program.streams[0].tasks.size() - 1);
    Appender appender{program, labels};
    Copy whole{.from = DataTier::hbm, .to = saved.to, .size = size};
    whole.through_dram = saved.through_dram;
    std::vector<Dependence> after{{StreamId{0}, last, 0}};
    Dependence awaited;
    if (saved.asynchronous) {
        const StreamId writer{program.streams.size() + 1};
        after.push_back({writer, 0, 1});  // whose memory this copy takes
        awaited = appender.copy("checkpoint copy",
                                {.from = DataTier::hbm, .to = DataTier::dram, .size = size}, after);
        appender.copy("checkpoint", {.from = DataTier::dram, .to = saved.to, .size = size},
                      {awaited});
    } else {
        awaited = appender.copy("checkpoint", whole, after);
    }
    add_dependence(program, program.streams[0].tasks.front(), in_step_before(awaited));
}

}  // namespace sim::workload
