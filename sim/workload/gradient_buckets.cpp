#include "workload/gradient_buckets.hpp"

namespace sim::workload
{

BucketPlan plan_buckets(const std::vector<BlockGradients>& blocks, Bytes wanted,
                        std::int64_t gradient_bytes)
{
    BucketPlan plan;
    std::int64_t open = 0;
    for (const auto& block : blocks) {
        plan.first_of_block.push_back(plan.parameters.size());
        for (const auto parameters : block) {
            open += parameters;
            if (open > 0 && Bytes::of(open * gradient_bytes) >= wanted) {
                plan.parameters.push_back(open);
                open = 0;
            }
        }
    }
    if (open > 0) {
        plan.parameters.push_back(open);
    }
    return plan;
}

}  // namespace sim::workload
