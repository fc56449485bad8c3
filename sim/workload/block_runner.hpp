#pragma once

#include <functional>
#include <optional>
#include <span>

#include "spec/framework.hpp"
#include "workload/program_builder.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

/// Runs the parts of the model on a rank: its kernels, the collectives of its tensor group, and the
/// host that has to issue them.
class BlockRunner
{
public:
    BlockRunner(const spec::WorkloadSpec& workload, TaskWriter& writer);

    /// After the streams that messages and replicas need.
    void add_host();
    [[nodiscard]] bool has_host() const { return host_.has_value(); }
    [[nodiscard]] std::optional<StreamId> tensor() const { return tensor_; }

    /// The last kernel of the block that runs next starts when the host has issued it; the host
    /// starts when `after` has ended.
    void issue(Time time, std::span<const Dependence> after = {});
    /// The host has waited for everything so far and fills an empty queue again.
    void restart(const char* label, Time time);

    using GradientsReady = std::function<void(std::int64_t parameters)>;
    void run(const PreparedRecipe& recipe, const GradientsReady& gradients_ready = {});

    /// A kernel that only moves bytes.
    void stream(const char* label, double bytes);

private:
    [[nodiscard]] StreamId stream_of(Slot slot) const;

    const spec::WorkloadSpec& workload_;
    TaskWriter& writer_;
    std::optional<StreamId> tensor_;
    std::optional<StreamId> context_;
    std::optional<StreamId> experts_;  ///< of exchanges that others do not wait for
    std::optional<StreamId> host_;
    std::optional<Dependence> issued_;  ///< the host's work for the next block
};

}  // namespace sim::workload
