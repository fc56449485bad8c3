#include "replay/memory_over_time.hpp"

#include <cmath>
#include <utility>

#include "replay/tier_use.hpp"

namespace sim::replay
{

namespace
{

/// What comes and goes in each of `gpus`, and what is always there.
std::vector<Bytes> levels(const std::vector<double>& of_gpu, std::int64_t gpus, Bytes always)
{
    std::vector<Bytes> bytes;
    for (const double level : of_gpu) {
        bytes.push_back(always + gpus * Bytes::of(std::llround(level)));
    }
    return bytes;
}

void add_gpu(MemoryOverTime& to, const StageMemory& seen, const workload::Footprint& fixed,
             Bytes capacity)
{
    const auto add = [&](const char* content, const std::vector<double>& moving, Bytes always) {
        to.held.push_back({seen.stage, "GPU memory", capacity, content, levels(moving, 1, always)});
    };
    const std::vector<double> nothing(seen.activations.size());
    add("weights", nothing, fixed.weights);
    add("gradients", nothing, fixed.gradients);
    add("optimizer", nothing, fixed.optimizer);
    add("activations", seen.activations, {});
    add("temporary", seen.temporary, fixed.temporary);
    add("reserved", nothing, fixed.reserved);
}

void add_tiers(MemoryOverTime& to, const StageMemory& seen,
               const std::vector<HeldTogether>& together)
{
    const std::vector<double> nothing(seen.host_activations.size());
    for (const auto& held : together) {
        auto bytes = held.what == "activations" ? levels(seen.host_activations, held.gpus, {})
                                                : levels(nothing, 1, held.bytes);
        to.held.push_back({seen.stage, held.name, held.capacity, held.what, std::move(bytes)});
    }
}

}  // namespace

MemoryOverTime memory_over_time(const spec::ExperimentSpec& experiment, const Result& result)
{
    MemoryOverTime memory;
    if (!result.observed || result.observed->memory.empty()) {
        return memory;
    }
    memory.bin = result.observed->memory_bin;
    auto resident = experiment.workload;
    resident.offload.reset();
    const auto whole = workload::footprint(resident);
    for (const auto& seen : result.observed->memory) {
        // Of the temporary part the working set comes and goes; buffers of what is offloaded stay.
        auto fixed = result.footprint.at(seen.stage);
        fixed.temporary = fixed.temporary - whole.at(seen.stage).temporary;
        add_gpu(memory, seen, fixed, experiment.cluster.node.gpu.memory);
        add_tiers(memory, seen, held_together(experiment, seen.stage));
        memory.stages.push_back(seen.stage);
        memory.micro_batches.insert(memory.micro_batches.end(), seen.micro_batches.begin(),
                                    seen.micro_batches.end());
    }
    return memory;
}

}  // namespace sim::replay
