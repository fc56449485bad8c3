#include "core/contract.hpp"
#include "spec/workload.hpp"

namespace sim::spec
{

int replicas(const PlanSpec& plan) { return plan.data * plan.context; }

bool lists_chunks(const PlanSpec& plan)
{
    return plan.chunks > 1 &&
           plan.layers_per_stage.size() ==
               static_cast<std::size_t>(plan.pipeline) * static_cast<std::size_t>(plan.chunks);
}

std::int64_t micro_batches(const WorkloadSpec& workload)
{
    const auto once = workload.micro_batch * workload.plan.data;
    SIM_EXPECT(once > 0 && workload.global_batch % once == 0);
    return workload.global_batch / once;
}

}  // namespace sim::spec
