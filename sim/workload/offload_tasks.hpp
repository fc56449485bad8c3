#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spec/workload.hpp"
#include "workload/offload_copies.hpp"
#include "workload/shard.hpp"
#include "workload/stage_parts.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

/// A stream of copies that share a window of buffers: one starts when the pass that used its buffer
/// before has ended.
struct CopyWindow {
    StreamId stream;
    std::vector<Dependence> freed;
    std::size_t copies = 0;
};

/// The copies of weights, gradients and state that a rank keeps outside its GPU, written between
/// the passes of its blocks, and the update of them. Does nothing where the workload keeps nothing
/// away. sim/workload/offload.md
class OffloadTasks
{
public:
    OffloadTasks(const spec::WorkloadSpec& workload, const Stage& stage, TaskWriter& writer);

    /// The rank's share of weights that are away, for the next pass (or, `resident`, for many): to
    /// be awaited by what needs them.
    std::optional<Dependence> fetch_weights(std::int64_t parameters, std::int64_t experts,
                                            bool resident = false);
    /// The last kernel of a pass has been written, which frees what it had fetched.
    void pass_ended(const Block& block);

    /// Gradients of a block, complete when `ready` has ended, leave for where they are updated.
    void gradients_leave(const Block& block, const Dependence& ready, bool last_of_step);
    void gradients_leave(std::int64_t parameters, const Dependence& ready, bool last_of_step);

    /// Writes the update of what is away, once `ready` has ended; the parameters that are left are
    /// the GPU's to update beside it.
    [[nodiscard]] std::int64_t update(std::int64_t owned, std::span<const Dependence> ready);
    /// Those have been updated: what of them lives elsewhere is written there. The next task waits
    /// until the step's update is done, unless that is delayed.
    void await_update(std::int64_t updated_by_gpu);

    /// What of the next step waits for the update.
    void finish(Program& program) const;

private:
    struct Arrival {
        std::int64_t parameters = 0;  ///< so many gradients of the step have left
        Dependence copy;
    };

    [[nodiscard]] const spec::PlanSpec& plan() const { return workload_.plan; }
    [[nodiscard]] std::int64_t owned(std::int64_t parameters, std::int64_t experts) const;
    [[nodiscard]] std::vector<std::int64_t> pieces(std::int64_t parameters, double bytes) const;
    [[nodiscard]] std::int64_t gradient_bytes() const;
    [[nodiscard]] std::vector<Dependence> gradients_of(std::int64_t updated,
                                                       std::span<const Dependence> ready) const;
    void update_on_host(std::int64_t parameters, std::span<const Dependence> ready);
    void weights_return(std::int64_t parameters, const Dependence& updated);
    void update_from_tier(std::int64_t parameters, std::span<const Dependence> ready);
    void leave(std::int64_t parameters, const Dependence& ready, bool last_of_step);

    const spec::WorkloadSpec& workload_;
    spec::OffloadSpec offload_{};
    Shard shard_;
    Bytes buffer_;  ///< what of the state is staged at once
    TaskWriter& writer_;
    OffloadCopies copies_;
    std::optional<CopyWindow> weights_;
    std::vector<Dependence> left_;     ///< gradients, in order
    std::vector<Arrival> arrivals_;    ///< of the step's last micro-batch
    std::vector<Dependence> updated_;  ///< the weights are where the next step looks for them
};

}  // namespace sim::workload
