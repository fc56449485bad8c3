#include "workload/pipeline_schedule.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace sim::workload
{

StageSchedule one_forward_one_backward(int stages, int stage, std::int64_t micro_batches)
{
    SIM_EXPECT(stages > 0 && stage >= 0 && stage < stages && micro_batches > 0);
    const auto warm_up = std::min<std::int64_t>(stages - 1 - stage, micro_batches);
    StageSchedule schedule;
    schedule.reserve(2 * static_cast<std::size_t>(micro_batches));
    for (std::int64_t forward = 0; forward < warm_up; ++forward) {
        schedule.push_back({Pass::forward, forward});
    }
    for (std::int64_t forward = warm_up; forward < micro_batches; ++forward) {
        schedule.push_back({Pass::forward, forward});
        schedule.push_back({Pass::backward, forward - warm_up});
    }
    for (auto backward = micro_batches - warm_up; backward < micro_batches; ++backward) {
        schedule.push_back({Pass::backward, backward});
    }
    return schedule;
}

std::int64_t in_flight(const StageSchedule& schedule)
{
    std::int64_t held = 0;
    std::int64_t most = 0;
    for (const auto& visit : schedule) {
        held += visit.pass == Pass::forward ? 1 : -1;
        most = std::max(most, held);
    }
    return most;
}

}  // namespace sim::workload
