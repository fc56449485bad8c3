#include "workload/stage_program.hpp"

#include <cstddef>
#include <optional>

#include "core/contract.hpp"
#include "workload/communicators.hpp"
#include "workload/gradient_buckets.hpp"
#include "workload/layer_operations.hpp"
#include "workload/pipeline_schedule.hpp"
#include "workload/program_builder.hpp"

namespace sim::workload
{

namespace
{

/// A part of the model that runs as a whole: the embedding, a layer, or the head.
struct Block {
    PreparedRecipe forward;
    PreparedRecipe recompute;  ///< empty unless the backward pass repeats the forward
    PreparedRecipe backward;
};

class StageBuilder
{
public:
    StageBuilder(const spec::WorkloadSpec& workload, const Stage& stage,
                 std::vector<std::string>& labels)
        : workload_{workload},
          stage_{stage},
          shard_{shard(workload)},
          builder_{labels},
          compute_{builder_.add_stream("compute")}
    {
        add_streams();
        add_blocks();
        plan_gradients();
    }

    Program build()
    {
        const auto micro_batches = spec::micro_batches(workload_);
        for (const auto& visit :
             one_forward_one_backward(stage_.stages, stage_.index, micro_batches)) {
            if (visit.pass == Pass::forward) {
                forward(visit.micro_batch == 0);
            } else {
                backward(visit.micro_batch + 1 == micro_batches);
            }
        }
        reduce_what_is_left();
        update();
        return builder_.take();
    }

private:
    [[nodiscard]] const spec::PlanSpec& plan() const { return workload_.plan; }
    [[nodiscard]] bool replicated() const { return plan().data > 1; }
    [[nodiscard]] bool gathers() const { return optimizer_group(plan()) > 1; }
    [[nodiscard]] bool shards_over_all_replicas() const
    {
        return gathers() && optimizer_group(plan()) == plan().data;
    }

    void add_streams()
    {
        if (plan().tensor > 1) {
            tensor_ = builder_.add_stream("tensor");
        }
        if (replicated() || stage_.shares_embedding()) {
            data_ = builder_.add_stream("data");
        }
        if (!stage_.first()) {
            forward_receive_ = add_transfer("forward receive", Slot::forward_receive);
            backward_send_ = add_transfer("backward send", Slot::backward_send);
        }
        if (!stage_.last()) {
            forward_send_ = add_transfer("forward send", Slot::forward_send);
            backward_receive_ = add_transfer("backward receive", Slot::backward_receive);
        }
    }

    /// A stream on which the same message is sent or received for every micro-batch.
    ProgramBuilder::NewTask add_transfer(const char* name, Slot slot)
    {
        const auto size = Bytes::of(shard_.element * shard_.local_tokens * shard_.hidden);
        const auto payload =
            builder_.collective(name, {CollectiveKind::send_recv, size, number(slot), 0});
        return {builder_.add_stream(name), TaskKind::collective, payload};
    }

    PreparedRecipe prepare(const Recipe& recipe)
    {
        return builder_.prepare(recipe, number(Slot::tensor));
    }

    void add_blocks()
    {
        if (stage_.first()) {
            embedding_.forward = prepare(embedding_forward(shard_));
            embedding_.backward = prepare(embedding_backward(shard_));
            blocks_.push_back(&embedding_);
        }
        layer_.forward = prepare(layer_forward(shard_, false));
        if (workload_.recompute == spec::Recompute::full) {
            layer_.recompute = prepare(layer_forward(shard_, true));
        }
        layer_.backward = prepare(layer_backward(shard_));
        blocks_.insert(blocks_.end(), static_cast<std::size_t>(stage_.layers), &layer_);
        if (stage_.last()) {
            head_.forward = prepare(head_forward(shard_));
            head_.backward = prepare(head_backward(shard_, stage_.owns_head()));
            blocks_.push_back(&head_);
        }
    }

    void plan_gradients()
    {
        std::vector<BlockGradients> gradients;
        for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
            auto& ready = gradients.emplace_back();
            for (const auto& entry : (*block)->backward.entries) {
                ready.push_back(entry.gradients);
            }
        }
        buckets_ = plan_buckets(gradients, workload_.framework.gradient_bucket, shard_.gradient);
    }

    void forward(bool first_of_step)
    {
        if (!stage_.first()) {
            awaited_.push_back(builder_.append(forward_receive_, {}));
        }
        for (std::size_t index = 0; index < blocks_.size(); ++index) {
            if (first_of_step) {
                await_parameters(index);
            }
            run(blocks_[index]->forward, false);
        }
        if (!stage_.last()) {
            append_after_compute(forward_send_);
        }
    }

    void backward(bool last_of_step)
    {
        if (!stage_.last()) {
            awaited_.push_back(builder_.append(backward_receive_, {}));
        }
        const bool reduce = last_of_step && workload_.framework.overlap_gradients;
        for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
            run((*block)->recompute, false);
            run((*block)->backward, reduce);
        }
        if (!stage_.first()) {
            append_after_compute(backward_send_);
        }
    }

    void run(const PreparedRecipe& recipe, bool reduce_gradients)
    {
        std::vector<Dependence> ended;
        for (const auto& entry : recipe.entries) {
            if (entry.kind == TaskKind::collective) {
                ended.push_back(append_after_compute({tensor_, entry.kind, entry.payload}));
                continue;
            }
            if (entry.after != kNothing) {
                awaited_.push_back(ended[static_cast<std::size_t>(entry.after)]);
            }
            ended.push_back(append({compute_, entry.kind, entry.payload}));
            if (reduce_gradients) {
                gradients_complete(entry.gradients);
            }
        }
        if (!recipe.entries.empty() && recipe.entries.back().kind == TaskKind::collective) {
            awaited_.push_back(ended.back());
        }
    }

    /// Appends with everything awaited so far.
    Dependence append(const ProgramBuilder::NewTask& task)
    {
        const auto appended = builder_.append(task, awaited_);
        awaited_.clear();
        return appended;
    }

    Dependence append_after_compute(const ProgramBuilder::NewTask& task)
    {
        if (const auto kernel = builder_.last(compute_)) {
            awaited_.push_back(*kernel);
        }
        return append(task);
    }

    void gradients_complete(std::int64_t parameters)
    {
        if (!replicated()) {
            return;
        }
        open_bucket_ += parameters;
        if (reduced_ < buckets_.parameters.size() &&
            open_bucket_ == buckets_.parameters[reduced_]) {
            reduce_bucket();
            open_bucket_ = 0;
        }
    }

    void reduce_bucket()
    {
        const auto kind = shards_over_all_replicas() ? CollectiveKind::reduce_scatter
                                                     : CollectiveKind::all_reduce;
        const auto size = Bytes::of(buckets_.parameters[reduced_] * shard_.gradient);
        append_data("gradient bucket", {kind, size, number(Slot::data), 0});
        ++reduced_;
    }

    Dependence append_data(const char* label, Collective collective)
    {
        const auto payload = builder_.collective(label, collective);
        return append_after_compute({*data_, TaskKind::collective, payload});
    }

    /// Everything that must be summed before the optimiser may look at it.
    void reduce_what_is_left()
    {
        while (replicated() && reduced_ < buckets_.parameters.size()) {
            reduce_bucket();
        }
        if (stage_.shares_embedding()) {
            const auto size = Bytes::of(shard_.vocab * shard_.hidden * shard_.gradient);
            append_data("tied embedding",
                        {CollectiveKind::all_reduce, size, number(Slot::embedding), 0});
        }
        if (replicated()) {
            append_data("gradient norm",
                        {CollectiveKind::all_reduce, Bytes::of(4), number(Slot::data), 0});
        }
    }

    void update()
    {
        const auto parameters = stage_parameters(stage_, shard_);
        const auto owned = static_cast<double>(owned_parameters(parameters, plan()));
        if (data_) {
            awaited_.push_back(builder_.last(*data_).value());
        }
        append_streaming("optimizer", workload_.framework.optimizer_bytes_per_parameter * owned);
        for (auto bucket = buckets_.parameters.size(); gathers() && bucket-- > 0;) {
            gather_bucket(bucket);
        }
        append_streaming("clear gradients", static_cast<double>(shard_.gradient * parameters));
    }

    void append_streaming(const char* label, double bytes)
    {
        spec::Operation operation;
        operation.precision = workload_.precision;
        operation.bytes = bytes;
        append({compute_, TaskKind::kernel, builder_.kernel(label, operation)});
    }

    void gather_bucket(std::size_t bucket)
    {
        const auto slot = shards_over_all_replicas() ? Slot::data : Slot::zero;
        const auto size = Bytes::of(buckets_.parameters[bucket] * shard_.element);
        const auto gathered =
            append_data("parameter bucket", {CollectiveKind::all_gather, size, number(slot), 0});
        SIM_EXPECT(gathered.position == gather_position(bucket));
    }

    /// Where the data stream gathers a bucket: after the reductions, last bucket first.
    [[nodiscard]] std::uint32_t gather_position(std::size_t bucket) const
    {
        const auto buckets = buckets_.parameters.size();
        const std::size_t reductions = buckets + (stage_.shares_embedding() ? 1 : 0) + 1;
        return static_cast<std::uint32_t>(reductions + buckets - 1 - bucket);
    }

    /// The step before left the gather of these parameters running.
    void await_parameters(std::size_t block)
    {
        if (!gathers()) {
            return;
        }
        if (workload_.framework.overlap_parameters) {
            const auto bucket = buckets_.first_of_block[blocks_.size() - 1 - block];
            awaited_.push_back({*data_, gather_position(bucket), 1});
        } else if (block == 0) {
            awaited_.push_back({*data_, gather_position(0), 1});
        }
    }

    const spec::WorkloadSpec& workload_;
    Stage stage_;
    Shard shard_;
    ProgramBuilder builder_;
    StreamId compute_;
    StreamId tensor_;
    std::optional<StreamId> data_;
    ProgramBuilder::NewTask forward_receive_;
    ProgramBuilder::NewTask forward_send_;
    ProgramBuilder::NewTask backward_receive_;
    ProgramBuilder::NewTask backward_send_;
    Block embedding_;
    Block layer_;
    Block head_;
    std::vector<const Block*> blocks_;
    BucketPlan buckets_;
    std::size_t reduced_ = 0;          ///< buckets already on their way
    std::int64_t open_bucket_ = 0;     ///< parameters complete since the last one left
    std::vector<Dependence> awaited_;  ///< by the next task appended
};

}  // namespace

Program stage_program(const spec::WorkloadSpec& workload, const Stage& stage,
                      std::vector<std::string>& labels)
{
    return StageBuilder{workload, stage, labels}.build();
}

}  // namespace sim::workload
