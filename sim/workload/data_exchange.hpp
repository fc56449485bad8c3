#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "workload/gradient_buckets.hpp"
#include "workload/gradient_codec.hpp"
#include "workload/shard.hpp"
#include "workload/stage_parts.hpp"
#include "workload/task_graph.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

/// What replicas tell each other in a step: gradients as they become ready, updated parameters
/// before the next step needs them. sim/workload/framework.md
class DataExchange
{
public:
    DataExchange(const spec::WorkloadSpec& workload, const Stage& stage, const StageParts& parts,
                 TaskWriter& writer);

    /// The next forward kernel needs the parameters of this block of this chunk.
    void await_parameters(std::size_t chunk, std::size_t block);

    /// In the backward pass of a chunk's last micro-batch: so many gradients of the block are
    /// complete.
    void gradients_ready(std::size_t chunk, const Block& block, std::int64_t parameters);
    /// A visit has ended: buckets that wait for other stages may leave.
    void visit_ended();

    /// Everything that must be summed before the optimiser may look at it, and waits for it.
    void reduce_what_is_left();
    /// What was written last of the compute and of the sums: all gradients are complete after it.
    [[nodiscard]] std::vector<Dependence> reduced() const;
    /// After the optimiser: parameters to those who did not update them.
    void exchange_parameters();

private:
    struct ChunkBuckets {
        BucketPlan plan;
        std::size_t reduced = 0;     ///< buckets already on their way
        std::int64_t open = 0;       ///< parameters complete since the last one left
        std::uint32_t exchange = 0;  ///< the first of its parameters', counted over the stage
    };
    struct Waiting {
        std::size_t chunk = 0;
        int visits = 0;
    };

    [[nodiscard]] const spec::PlanSpec& plan() const { return workload_.plan; }
    [[nodiscard]] const spec::FrameworkSpec& framework() const { return workload_.framework; }
    [[nodiscard]] bool replicated() const { return spec::replicas(plan()) > 1; }
    [[nodiscard]] bool shares_state() const { return learns_ && optimizer_group(plan()) > 1; }
    [[nodiscard]] bool sums_norm() const { return replicated() && workload_.gradient_clipping; }
    [[nodiscard]] bool finds_overflow() const { return replicated() && workload_.loss_scaling; }
    [[nodiscard]] bool shards_over_all_replicas() const
    {
        return shares_state() && optimizer_group(plan()) == spec::replicas(plan());
    }
    [[nodiscard]] bool waits_for_other_stages() const;
    [[nodiscard]] bool leaves_last(const Block& block) const;

    [[nodiscard]] BucketPlan bucket_plan(const Chunk& chunk, bool first_chunk) const;
    void join_chunks();
    void number_exchanges();
    void reduce_bucket(ChunkBuckets& chunk);
    void finish_gradients();
    void broadcast_by_owner();
    [[nodiscard]] std::int64_t owners() const;
    Dependence append(const char* label, Collective collective);

    const spec::WorkloadSpec& workload_;
    Stage stage_;
    Shard shard_;
    GradientCodec codec_;
    bool learns_;  ///< the stage has something to update
    TaskWriter& writer_;
    std::optional<StreamId> stream_;
    double unpacking_ = 0;  ///< bytes, of what has been sent
    std::vector<ChunkBuckets> chunks_;
    std::deque<Waiting> waiting_;
    std::uint32_t reductions_ = 0;  ///< tasks of the data stream before the first exchange
    std::uint32_t exchanges_ = 0;
};

}  // namespace sim::workload
