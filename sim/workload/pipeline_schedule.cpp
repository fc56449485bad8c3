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

namespace
{

/// The order of all visits of one direction: rounds of micro-batches, each chunk by chunk.
std::vector<Visit> rounds(const Interleaving& plan, Pass pass)
{
    std::vector<Visit> visits;
    for (std::int64_t first = 0; first < plan.micro_batches; first += plan.stages) {
        const auto end = std::min(first + plan.stages, plan.micro_batches);
        for (int turn = 0; turn < plan.chunks; ++turn) {
            const int chunk = pass == Pass::forward ? turn : plan.chunks - 1 - turn;
            for (auto micro_batch = first; micro_batch < end; ++micro_batch) {
                visits.push_back({pass, micro_batch, chunk});
            }
        }
    }
    return visits;
}

}  // namespace

StageSchedule interleaved(const Interleaving& plan, int stage)
{
    SIM_EXPECT(plan.chunks > 0 && stage >= 0 && stage < plan.stages && plan.micro_batches > 0);
    const auto forwards = rounds(plan, Pass::forward);
    const auto backwards = rounds(plan, Pass::backward);
    const auto ahead = std::size_t(2) * (plan.stages - 1 - stage) +
                       static_cast<std::size_t>(plan.chunks - 1) * plan.stages;
    const auto warm_up = std::min(ahead, forwards.size());
    StageSchedule schedule{forwards.begin(),
                           forwards.begin() + static_cast<std::ptrdiff_t>(warm_up)};
    for (auto next = warm_up; next < forwards.size(); ++next) {
        schedule.push_back(forwards[next]);
        schedule.push_back(backwards[next - warm_up]);
    }
    for (auto next = forwards.size() - warm_up; next < backwards.size(); ++next) {
        schedule.push_back(backwards[next]);
    }
    return schedule;
}

StageSchedule all_forward_all_backward(std::int64_t micro_batches)
{
    SIM_EXPECT(micro_batches > 0);
    StageSchedule schedule;
    for (const auto pass : {Pass::forward, Pass::backward}) {
        for (std::int64_t micro_batch = 0; micro_batch < micro_batches; ++micro_batch) {
            schedule.push_back({pass, micro_batch});
        }
    }
    return schedule;
}

StageSchedule zero_bubble(int stages, int stage, std::int64_t micro_batches)
{
    SIM_EXPECT(stages > 0 && stage >= 0 && stage < stages && micro_batches > 0);
    StageSchedule schedule;
    std::int64_t back = 0;
    std::int64_t weighed = 0;
    const auto warm_up = std::min<std::int64_t>(stages - 1 - stage, micro_batches);
    for (std::int64_t forward = 0; forward < micro_batches; ++forward) {
        schedule.push_back({Pass::forward, forward});
        if (forward < warm_up) {
            continue;
        }
        schedule.push_back({Pass::backward, back++});
        if (back - weighed > stage) {
            schedule.push_back({Pass::weights, weighed++});
        }
    }
    while (back < micro_batches) {
        schedule.push_back({Pass::backward, back++});
        schedule.push_back({Pass::weights, weighed++});
    }
    while (weighed < micro_batches) {
        schedule.push_back({Pass::weights, weighed++});
    }
    return schedule;
}

StageSchedule stage_schedule(const spec::WorkloadSpec& workload, int stage)
{
    const auto& plan = workload.plan;
    const auto micro_batches = spec::micro_batches(workload);
    if (plan.schedule == spec::Schedule::all_forward) {
        return all_forward_all_backward(micro_batches);
    }
    if (plan.schedule == spec::Schedule::zero_bubble) {
        return zero_bubble(plan.pipeline, stage, micro_batches);
    }
    return plan.chunks > 1 ? interleaved({plan.pipeline, plan.chunks, micro_batches}, stage)
                           : one_forward_one_backward(plan.pipeline, stage, micro_batches);
}

std::int64_t in_flight(const StageSchedule& schedule)
{
    const bool puts_off = std::any_of(schedule.begin(), schedule.end(), [](const Visit& visit) {
        return visit.pass == Pass::weights;
    });
    const auto last = puts_off ? Pass::weights : Pass::backward;
    std::int64_t held = 0;
    std::int64_t most = 0;
    for (const auto& visit : schedule) {
        held += visit.pass == Pass::forward ? 1 : 0;
        held -= visit.pass == last ? 1 : 0;
        most = std::max(most, held);
    }
    return most;
}

}  // namespace sim::workload
