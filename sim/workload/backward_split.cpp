#include "workload/backward_split.hpp"

#include <utility>

#include "core/contract.hpp"

namespace sim::workload
{

BackwardSplit split_backward(const Recipe& backward)
{
    BackwardSplit split;
    std::vector<int> moved_to;  // where an item of the input's part stands now
    std::int64_t gradients = 0;
    std::int64_t expert_gradients = 0;
    for (auto item : backward.items()) {
        gradients += std::exchange(item.gradients, 0);
        expert_gradients += std::exchange(item.expert_gradients, 0);
        if (item.of_weights) {
            moved_to.push_back(kNothing);
            item.after = kNothing;
            split.weights.push_back(std::move(item));
            continue;
        }
        if (item.after != kNothing) {
            item.after = moved_to[static_cast<std::size_t>(item.after)];
        }
        moved_to.push_back(static_cast<int>(split.input.size()));
        split.input.push_back(std::move(item));
    }
    SIM_EXPECT(!split.weights.empty() || gradients + expert_gradients == 0);
    if (!split.weights.empty()) {
        split.weights.back().gradients = gradients;
        split.weights.back().expert_gradients = expert_gradients;
    }
    return split;
}

}  // namespace sim::workload
