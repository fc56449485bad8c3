#include "results/memory_group.hpp"

#include "results/points.hpp"

namespace sim::results
{
namespace
{

using replay::HeldOverTime;

template <class T, class Of>
Variable per_part(const replay::MemoryOverTime& memory, Label label, Of of)
{
    std::vector<T> values;
    for (const auto& held : memory.held) {
        values.push_back(of(held));
    }
    return {std::move(label.name),
            {"part"},
            std::move(values),
            std::move(label.units),
            std::move(label.long_name)};
}

Variable bytes(const replay::MemoryOverTime& memory)
{
    std::vector<std::int64_t> values;
    for (const auto& held : memory.held) {
        for (const auto size : held.bytes) {
            values.push_back(size.base());
        }
    }
    return {"bytes", {"part", "time"}, std::move(values), "B", "when the tier is fullest in a bin"};
}

}  // namespace

Group memory_over_time_group(const replay::MemoryOverTime& memory)
{
    const auto bins = memory.held.front().bytes.size();
    std::vector<double> time;
    for (std::size_t i = 0; i < bins; ++i) {
        time.push_back(memory.bin.base() * static_cast<double>(i));
    }
    const std::vector<std::int64_t> stages{memory.stages.begin(), memory.stages.end()};
    Group group{"memory_over_time", {}};
    auto& v = group.variables;
    v.push_back(numbers("part", memory.held.size(), "content of a tier that GPUs of a stage use"));
    v.push_back({"stage", {"stage"}, stages, "1", "pipeline stage"});
    v.push_back({"time", {"time"}, time, "s", "start of a bin, from the start of the step"});
    v.push_back(per_part<std::int64_t>(memory, {"of_stage", "1", "pipeline stage"},
                                       [](const HeldOverTime& h) { return h.stage; }));
    v.push_back(per_part<std::string>(memory, {"tier", "", "GPU memory, or what GPUs share"},
                                      [](const HeldOverTime& h) { return h.tier; }));
    v.push_back(per_part<std::int64_t>(memory, {"capacity", "B", "what the tier has"},
                                       [](const HeldOverTime& h) { return h.capacity.base(); }));
    v.push_back(per_part<std::string>(memory, {"content", "", "what lies there"},
                                      [](const HeldOverTime& h) { return h.content; }));
    v.push_back(bytes(memory));
    v.push_back({"micro_batches",
                 {"stage", "time"},
                 memory.micro_batches,
                 "1",
                 "whose activations a GPU of the stage keeps"});
    return group;
}

}  // namespace sim::results
