#pragma once

#include <vector>

#include "workload/program_builder.hpp"

namespace sim::workload
{

/// Appends a rank's tasks in the order in which its host thinks of them: whatever is awaited goes
/// to the next task.
class TaskWriter
{
public:
    TaskWriter(ProgramBuilder& builder, StreamId compute) : builder_{builder}, compute_{compute} {}

    [[nodiscard]] ProgramBuilder& builder() { return builder_; }
    [[nodiscard]] StreamId compute() const { return compute_; }

    void await(const Dependence& dependence) { awaited_.push_back(dependence); }

    Dependence append(const ProgramBuilder::NewTask& task)
    {
        const auto appended = builder_.append(task, awaited_);
        awaited_.clear();
        return appended;
    }

    /// Neither awaits what is awaited nor takes it from the next task.
    Dependence append_apart(const ProgramBuilder::NewTask& task,
                            std::span<const Dependence> dependences)
    {
        return builder_.append(task, dependences);
    }

    Dependence append_after_compute(const ProgramBuilder::NewTask& task)
    {
        await_compute();
        return append(task);
    }

    /// A kernel that only moves bytes.
    Dependence stream(const char* label, spec::Precision precision, double bytes)
    {
        spec::Operation operation;
        operation.precision = precision;
        operation.bytes = bytes;
        return append({compute_, TaskKind::kernel, builder_.kernel(label, operation)});
    }

    void await_compute()
    {
        if (const auto kernel = builder_.last(compute_)) {
            await(*kernel);
        }
    }

private:
    ProgramBuilder& builder_;
    StreamId compute_;
    std::vector<Dependence> awaited_;
};

}  // namespace sim::workload
