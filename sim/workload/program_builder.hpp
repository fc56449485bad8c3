#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "workload/recipe.hpp"
#include "workload/task_graph.hpp"

namespace sim::workload
{

/// A recipe whose payloads are in the program's tables already, ready to be appended many times.
struct PreparedRecipe {
    struct Entry {
        TaskKind kind = TaskKind::kernel;
        std::uint32_t payload = 0;
        int after = kNothing;
        std::int64_t gradients = 0;
        Slot slot = Slot::tensor;
    };
    std::vector<Entry> entries;
    std::size_t last_kernel = 0;  ///< its entry
};

/// Writes one program: streams, tasks, and tables in which equal payloads appear once.
class ProgramBuilder
{
public:
    /// `labels` is the graph's table, shared by its programs.
    explicit ProgramBuilder(std::vector<std::string>& labels);

    StreamId add_stream(std::string name);
    std::uint32_t kernel(const std::string& label, const spec::Operation& operation);
    /// Time of the host, not of the GPU.
    std::uint32_t host_work(const std::string& label, Time time);
    std::uint32_t collective(const std::string& label, Collective collective);
    std::uint32_t copy(const std::string& label, Copy copy);
    PreparedRecipe prepare(const Recipe& recipe) { return prepare(recipe.items()); }
    PreparedRecipe prepare(const std::vector<Item>& items);

    struct NewTask {
        StreamId stream;
        TaskKind kind = TaskKind::kernel;
        std::uint32_t payload = 0;
    };
    /// The appended task, as others depend on it.
    Dependence append(NewTask task, std::span<const Dependence> dependences);
    /// The stream's newest task.
    [[nodiscard]] std::optional<Dependence> last(StreamId stream) const;

    /// What the next task of a stream begins to hold, or gives back.
    void holds_next(StreamId stream, MemoryContent content, double amount);
    /// What changes when a task has ended.
    void holds_after(const Dependence& task, MemoryContent content, double amount);

    [[nodiscard]] Program take() { return std::move(program_); }

private:
    std::uint32_t label(const std::string& text);

    std::vector<std::string>& labels_;
    Program program_;
};

}  // namespace sim::workload
