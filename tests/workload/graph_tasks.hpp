#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/task_graph.hpp"

namespace sim::workload::testing
{

/// A task of a program with what it runs.
struct NamedTask {
    const Stream* stream;
    const Task* task;
    std::string label;
};

inline std::vector<NamedTask> named_tasks(const TaskGraph& graph, std::size_t program)
{
    const auto& code = graph.programs[program];
    std::vector<NamedTask> result;
    for (const auto& stream : code.streams) {
        for (const auto& task : stream.tasks) {
            const auto label = task.kind == TaskKind::kernel ? code.kernels[task.payload].label
                               : task.kind == TaskKind::collective
                                   ? code.collectives[task.payload].label
                                   : code.copies[task.payload].label;
            result.push_back({&stream, &task, graph.labels[label]});
        }
    }
    return result;
}

/// Bytes of every collective or copy with this label, in order.
inline std::vector<std::int64_t> bytes_moved(const TaskGraph& graph, const std::string& label,
                                             std::size_t program = 0)
{
    const auto& code = graph.programs[program];
    std::vector<std::int64_t> result;
    for (const auto& named : named_tasks(graph, program)) {
        if (named.label == label && named.task->kind != TaskKind::kernel) {
            const auto payload = named.task->payload;
            result.push_back(named.task->kind == TaskKind::copy
                                 ? code.copies[payload].size.base()
                                 : code.collectives[payload].size.base());
        }
    }
    return result;
}

/// HBM bytes of every kernel with this label, in order.
inline std::vector<double> kernel_bytes(const TaskGraph& graph, const std::string& label,
                                        std::size_t program = 0)
{
    std::vector<double> result;
    for (const auto& named : named_tasks(graph, program)) {
        if (named.label == label && named.task->kind == TaskKind::kernel) {
            result.push_back(graph.programs[program].kernels[named.task->payload].operation.bytes);
        }
    }
    return result;
}

template <class T>
T sum_of(const std::vector<T>& values)
{
    T total{};
    for (const auto value : values) {
        total += value;
    }
    return total;
}

}  // namespace sim::workload::testing
