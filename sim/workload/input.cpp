#include "workload/input.hpp"

#include "core/contract.hpp"
#include "workload/late_dependence.hpp"

namespace sim::workload
{

Bytes samples_of_rank(const spec::WorkloadSpec& workload)
{
    const auto sequences = workload.global_batch / workload.plan.data;
    return workload.input->per_sequence * sequences / workload.plan.tensor;
}

void add_input(Program& program, const spec::WorkloadSpec& workload,
               std::vector<std::string>& labels)
{
    SIM_EXPECT(workload.input && !program.streams.empty() && !program.streams[0].tasks.empty());
    const auto& input = *workload.input;
    const StreamId stream{program.streams.size()};
    const auto compute_tasks = program.streams[0].tasks.size();
    program.copies.push_back({input.from, spec::DataTier::hbm, samples_of_rank(workload),
                              input.through_dram, Purpose::input,
                              static_cast<std::uint32_t>(labels.size())});
    labels.emplace_back("samples");
    Task copy{TaskKind::copy, static_cast<std::uint32_t>(program.copies.size() - 1), 0, 0};
    add_dependence(program, copy,
                   {StreamId{0}, static_cast<std::uint32_t>(compute_tasks - 1),
                    static_cast<std::uint32_t>(input.prefetch + 1)});
    program.streams.push_back({"input", {copy}});
    add_dependence(program, program.streams[0].tasks.front(), {stream, 0, 0});
}

}  // namespace sim::workload
