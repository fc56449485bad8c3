#pragma once

#include "workload/task_graph.hpp"

namespace sim::workload
{

/// Makes a task of the program wait for one more, which was not known when it was written.
void add_dependence(Program& program, Task& task, const Dependence& dependence);

}  // namespace sim::workload
