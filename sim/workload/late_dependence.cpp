#include "workload/late_dependence.hpp"

namespace sim::workload
{

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

}  // namespace sim::workload
