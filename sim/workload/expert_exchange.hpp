#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workload/gradient_codec.hpp"
#include "workload/shard.hpp"
#include "workload/stage_parts.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

/// How a stage's experts are summed over the ranks that hold the same ones, a chunk of the model at
/// a time, and gathered again where those share the optimiser's state. Nothing without experts.
class ExpertExchange
{
public:
    ExpertExchange(const spec::WorkloadSpec& workload, const StageParts& parts, TaskWriter& writer);

    /// After the chunk's last backward of the step.
    void reduce(std::size_t chunk);
    void await_reductions();
    /// After the optimiser.
    void gather();
    /// The next forward kernel needs the experts of the chunk as the step before left them.
    void await_parameters(std::size_t chunk);

private:
    Dependence append(const char* label, CollectiveKind kind, Bytes size);

    const spec::WorkloadSpec& workload_;
    Shard shard_;
    GradientCodec codec_;
    TaskWriter& writer_;
    std::optional<StreamId> stream_;
    double unpacking_ = 0;               ///< bytes, of what has been sent
    std::vector<std::int64_t> experts_;  ///< parameters of each chunk's
    std::vector<std::size_t> gathered_;  ///< chunks in the order of the gathers
};

}  // namespace sim::workload
