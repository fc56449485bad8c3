#include "workload/input.hpp"

#include "core/contract.hpp"

namespace sim::workload
{

namespace
{

Bytes of_rank(const spec::WorkloadSpec& workload)
{
    const auto sequences = workload.global_batch / workload.plan.data;
    return workload.input->per_sequence * sequences / workload.plan.tensor;
}

/// The dependences of a task are a run of the program's, so they move to where one more fits.
void add_dependence(Program& program, Task& task, const Dependence& dependence)
{
    const auto first = static_cast<std::uint32_t>(program.dependences.size());
    for (std::uint32_t i = 0; i < task.dependences; ++i) {
        program.dependences.push_back(Dependence{program.dependences[task.first_dependence + i]});
    }
    program.dependences.push_back(dependence);
    task.first_dependence = first;
    ++task.dependences;
}

}  // namespace

void add_input(Program& program, const spec::WorkloadSpec& workload,
               std::vector<std::string>& labels)
{
    SIM_EXPECT(workload.input && !program.streams.empty() && !program.streams[0].tasks.empty());
    const auto& input = *workload.input;
    const StreamId stream{program.streams.size()};
    const auto compute_tasks = program.streams[0].tasks.size();
    program.copies.push_back({input.from, spec::DataTier::hbm, of_rank(workload),
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
