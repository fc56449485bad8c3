#include "workload/program_builder.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sim::workload
{

namespace
{

auto key(const Kernel& kernel)
{
    const auto& o = kernel.operation;
    return std::tuple{o.kind,
                      o.precision,
                      o.m,
                      o.n,
                      o.k,
                      o.batch,
                      o.bytes,
                      o.flops.base(),
                      o.backward,
                      o.unaligned,
                      o.recomputed,
                      kernel.label,
                      kernel.recorded_seconds,
                      kernel.of_host};
}

auto key(const Collective& collective)
{
    return std::tuple{collective.kind, collective.size, collective.slot, collective.label};
}

auto key(const Copy& copy)
{
    return std::tuple{copy.from, copy.to, copy.size, copy.through_dram, copy.purpose, copy.label};
}

/// Tables hold a few dozen entries and are written once per recipe, so a walk is enough.
template <class Entry>
std::uint32_t intern(std::vector<Entry>& table, const Entry& entry)
{
    const auto same = [&](const Entry& other) { return key(other) == key(entry); };
    const auto found = std::find_if(table.begin(), table.end(), same);
    const auto index = static_cast<std::uint32_t>(found - table.begin());
    if (found == table.end()) {
        table.push_back(entry);
    }
    return index;
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::vector<std::string>& labels) : labels_{labels} {}

StreamId ProgramBuilder::add_stream(std::string name)
{
    program_.streams.push_back({std::move(name), {}});
    return StreamId{program_.streams.size() - 1};
}

std::uint32_t ProgramBuilder::kernel(const std::string& text, const spec::Operation& operation)
{
    return intern(program_.kernels, Kernel{operation, label(text), {}, false});
}

std::uint32_t ProgramBuilder::host_work(const std::string& text, Time time)
{
    return intern(program_.kernels, Kernel{{}, label(text), time.base(), true});
}

std::uint32_t ProgramBuilder::collective(const std::string& text, Collective collective)
{
    collective.label = label(text);
    return intern(program_.collectives, collective);
}

std::uint32_t ProgramBuilder::copy(const std::string& text, Copy copy)
{
    copy.label = label(text);
    return intern(program_.copies, copy);
}

PreparedRecipe ProgramBuilder::prepare(const std::vector<Item>& items)
{
    PreparedRecipe prepared;
    for (const auto& item : items) {
        const auto payload =
            item.kind == TaskKind::kernel
                ? kernel(item.label, item.operation)
                : collective(item.label, {item.collective, item.size, number(item.slot), 0});
        if (item.kind == TaskKind::kernel) {
            prepared.last_kernel = prepared.entries.size();
        }
        prepared.entries.push_back({item.kind, payload, item.after, item.gradients, item.slot});
    }
    return prepared;
}

Dependence ProgramBuilder::append(NewTask task, std::span<const Dependence> dependences)
{
    auto& tasks = program_.streams[task.stream.index()].tasks;
    const auto first = static_cast<std::uint32_t>(program_.dependences.size());
    program_.dependences.insert(program_.dependences.end(), dependences.begin(), dependences.end());
    tasks.push_back(
        {task.kind, task.payload, first, static_cast<std::uint32_t>(dependences.size())});
    return Dependence{task.stream, static_cast<std::uint32_t>(tasks.size()) - 1, 0};
}

std::optional<Dependence> ProgramBuilder::last(StreamId stream) const
{
    const auto& tasks = program_.streams[stream.index()].tasks;
    if (tasks.empty()) {
        return std::nullopt;
    }
    return Dependence{stream, static_cast<std::uint32_t>(tasks.size()) - 1, 0};
}

void ProgramBuilder::holds_next(StreamId stream, MemoryContent content, double amount)
{
    if (amount != 0) {
        const auto next = program_.streams[stream.index()].tasks.size();
        program_.memory.push_back(
            {stream, static_cast<std::uint32_t>(next), false, content, amount});
    }
}

void ProgramBuilder::holds_after(const Dependence& task, MemoryContent content, double amount)
{
    if (amount != 0) {
        program_.memory.push_back({task.stream, task.position, true, content, amount});
    }
}

std::uint32_t ProgramBuilder::label(const std::string& text)
{
    const auto found = std::find(labels_.begin(), labels_.end(), text);
    const auto index = static_cast<std::uint32_t>(found - labels_.begin());
    if (found == labels_.end()) {
        labels_.push_back(text);
    }
    return index;
}

}  // namespace sim::workload
