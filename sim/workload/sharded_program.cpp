#include "workload/sharded_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>

#include "core/contract.hpp"
#include "workload/activation_offload.hpp"
#include "workload/block_runner.hpp"
#include "workload/communicators.hpp"
#include "workload/memory_marks.hpp"
#include "workload/offload_tasks.hpp"
#include "workload/program_builder.hpp"
#include "workload/stage_parts.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

namespace
{

class ShardedBuilder
{
public:
    ShardedBuilder(const spec::WorkloadSpec& workload, const Stage& stage,
                   std::vector<std::string>& labels)
        : workload_{workload},
          stage_{stage},
          shard_{shard(workload)},
          builder_{labels},
          writer_{builder_, builder_.add_stream("compute")},
          runner_{workload, writer_},
          parts_{workload, stage, builder_},
          offload_{workload, stage, writer_},
          blocks_{parts_.chunks().front().blocks},
          activations_{workload, stage, parts_, writer_},
          memory_{workload, stage, parts_, writer_}
    {
        if (spec::replicas(plan()) > 1) {
            data_ = builder_.add_stream("data");
        }
        runner_.add_host();
    }

    Program build()
    {
        const auto micro_batches = spec::micro_batches(workload_);
        for (std::int64_t micro_batch = 0; micro_batch < micro_batches; ++micro_batch) {
            micro_batch_ = micro_batch;
            forward();
            backward(micro_batch + 1 == micro_batches);
        }
        update();
        auto program = builder_.take();
        offload_.finish(program);
        return program;
    }

private:
    [[nodiscard]] const spec::PlanSpec& plan() const { return workload_.plan; }
    [[nodiscard]] const spec::FrameworkSpec& framework() const { return workload_.framework; }
    [[nodiscard]] bool regathers() const { return plan().zero >= 3; }
    [[nodiscard]] bool several_groups() const
    {
        return optimizer_group(plan()) < spec::replicas(plan());
    }
    [[nodiscard]] Slot slot() const { return several_groups() ? Slot::zero : Slot::data; }

    /// The ends of the model are one unit, which stays whole from the forward to its backward.
    [[nodiscard]] static bool is_end(const Block& block) { return !block.layer; }

    [[nodiscard]] std::int64_t ends_parameters() const
    {
        auto parameters = stage_parameters(stage_, shard_);
        for (const auto* block : blocks_) {
            parameters -= block->parameters + block->experts;
        }
        return parameters;
    }

    [[nodiscard]] std::int64_t trained_of_ends() const
    {
        const auto whole = parameters_of(stage_, shard_);
        auto trained = whole.trained_shared + whole.trained_experts;
        for (const auto* block : blocks_) {
            trained -= block->trained + block->trained_experts;
        }
        return trained;
    }

    void forward()
    {
        backward_ = false;
        ran_.clear();
        await_gather(gather(stored_bytes(ends_parameters(), 0), slot(),
                            offload_.fetch_weights(ends_parameters(), 0, true)));
        for (std::size_t block = 0; block < blocks_.size(); ++block) {
            run_forward(block);
            activations_.after_forward({micro_batch_, 0, block});
        }
    }

    void run_forward(std::size_t index)
    {
        const auto& block = *blocks_[index];
        std::optional<Dependence> whole;
        if (!is_end(block)) {
            whole = gather_block(block, slot());
        }
        await_gather(whole);
        memory_.forward_begins(0, index);
        runner_.issue(block.issue_forward, limit());
        runner_.run(block.forward);
        memory_.forward_ended(0, index);
        keep_second_share(block);
        note_ran();
        offload_.pass_ended(block);
    }

    void backward(bool last_of_step)
    {
        backward_ = true;
        ran_.clear();
        note_ran();
        gathered_.clear();
        next_ = blocks_.size();
        for (auto position = blocks_.size(); position-- > 0;) {
            const auto& block = *blocks_[position];
            const bool sharded = !is_end(block);
            if (block.backward.entries.empty()) {
                continue;  // it does not learn, and neither does what comes before it
            }
            if (sharded && regathers()) {
                gather_down_to(position);
                await_gather(gathered_.front());
                gathered_.pop_front();
            }
            activations_.before_backward({micro_batch_, 0, position});
            memory_.backward_begins(0, position);
            runner_.issue(block.issue_backward, limit());
            runner_.run(block.recompute);
            runner_.run(block.backward);
            memory_.backward_ended(0, position);
            memory_.freed(0, position);
            note_ran();
            offload_.pass_ended(block);
            activations_.after_backward({micro_batch_, 0, position});
            if (sharded) {
                const auto ahead = static_cast<std::size_t>(plan().prefetch);
                gather_down_to(position - std::min(position, ahead));
                reduce(block.trained, last_of_step);
                reduce_experts(block.trained_experts);
                offload_.gradients_leave(block, gradients_ready(), last_of_step);
            }
        }
        memory_.micro_batch_ended(0);
        const auto ends = trained_of_ends();
        reduce(ends, last_of_step);
        offload_.gradients_leave(ends, gradients_ready(), last_of_step);
    }

    /// What was written last of a block's gradients.
    [[nodiscard]] Dependence gradients_ready() const
    {
        const auto last = data_ ? builder_.last(*data_) : std::nullopt;
        return last ? *last : builder_.last(writer_.compute()).value();
    }

    /// The blocks before the last one gathered, for their backward pass.
    void gather_down_to(std::size_t position)
    {
        while (regathers() && next_ > position) {
            const auto& block = *blocks_[--next_];
            if (!is_end(block) && !block.backward.entries.empty()) {
                gathered_.push_back(gather_block(block, backward_slot()));
            }
        }
    }

    [[nodiscard]] Slot backward_slot() const
    {
        return plan().backward_group ? Slot::backward_share : slot();
    }

    /// A rank writes its part of the second copy while it has all.
    void keep_second_share(const Block& block)
    {
        if (plan().backward_group && !is_end(block)) {
            const auto share = static_cast<double>(block.parameters) / *plan().backward_group;
            runner_.stream("second share", 2 * static_cast<double>(shard_.element) * share);
        }
    }

    void note_ran() { ran_.push_back(builder_.last(writer_.compute()).value()); }

    /// What has to be freed before another block may be gathered.
    [[nodiscard]] std::span<const Dependence> limit() const
    {
        const auto whole = static_cast<std::size_t>(plan().prefetch) + 1;
        return ran_.size() < whole ? std::span<const Dependence>{}
                                   : std::span{&ran_[ran_.size() - whole], 1};
    }

    /// Nothing is gathered for the backward pass before the forward pass has ended.
    [[nodiscard]] std::span<const Dependence> gather_limit() const
    {
        const auto freed = limit();
        return freed.empty() && backward_ ? std::span{&ran_.front(), 1} : freed;
    }

    /// The experts after the rest, from the ranks that hold the same ones.
    [[nodiscard]] std::optional<Dependence> gather_block(const Block& block, Slot from)
    {
        const auto fetched = offload_.fetch_weights(block.parameters, block.experts);
        auto whole = gather(stored_bytes(block.parameters, adapters_of(block)), from, fetched);
        if (data_ && block.experts > 0 && expert_replicas(plan()) > 1) {
            const auto size = stored_bytes(block.experts, 0);
            const auto payload = builder_.collective(
                "expert gather", {CollectiveKind::all_gather, size, number(Slot::expert_data), 0});
            whole = writer_.append_apart({*data_, TaskKind::collective, payload}, gather_limit());
        }
        return whole;
    }

    void reduce_experts(std::int64_t parameters)
    {
        if (data_ && parameters > 0 && expert_replicas(plan()) > 1) {
            append_data("expert scatter",
                        {CollectiveKind::reduce_scatter, Bytes::of(parameters * shard_.gradient),
                         number(Slot::expert_data), 0});
        }
    }

    /// As they are stored: frozen ones may be narrow, adapters are not.
    [[nodiscard]] Bytes stored_bytes(std::int64_t parameters, std::int64_t adapters) const
    {
        return Bytes::of(std::llround(shard_.weight * static_cast<double>(parameters))) +
               Bytes::of(shard_.element * adapters);
    }
    [[nodiscard]] std::int64_t adapters_of(const Block& block) const
    {
        return shard_.frozen() ? block.trained : 0;
    }

    /// Nothing to wait for where the rank is alone and has its weights.
    [[nodiscard]] std::optional<Dependence> gather(Bytes size, Slot from,
                                                   const std::optional<Dependence>& fetched)
    {
        if (!data_ || (from == Slot::backward_share && *plan().backward_group == 1)) {
            return fetched;
        }
        std::vector<Dependence> after{gather_limit().begin(), gather_limit().end()};
        if (fetched) {
            after.push_back(*fetched);
        }
        const auto payload = builder_.collective(
            "parameter gather", {CollectiveKind::all_gather, size, number(from), 0});
        return writer_.append_apart({*data_, TaskKind::collective, payload}, after);
    }

    void await_gather(const std::optional<Dependence>& gathered)
    {
        if (gathered) {
            writer_.await(*gathered);
        }
    }

    /// Wider gradients than the backward pass made are widened before they leave.
    void reduce(std::int64_t parameters, bool last_of_step)
    {
        if (!data_ || parameters == 0) {
            return;
        }
        if (shard_.gradient > shard_.element) {
            const auto widened = shard_.element + shard_.gradient;
            runner_.stream("gradient widening", static_cast<double>(parameters * widened));
        }
        const auto size = Bytes::of(parameters * shard_.gradient);
        append_data("gradient scatter", {CollectiveKind::reduce_scatter, size, number(slot()), 0});
        if (several_groups() && last_of_step) {
            const auto share = Bytes::of(owned_parameters(parameters, plan()) * shard_.gradient);
            append_data("gradient sum",
                        {CollectiveKind::all_reduce, share, number(Slot::peers), 0});
        }
    }

    void append_data(const char* label, Collective collective)
    {
        const auto payload = builder_.collective(label, collective);
        const auto kernel = builder_.last(writer_.compute()).value();
        writer_.append_apart({*data_, TaskKind::collective, payload}, std::span{&kernel, 1});
    }

    void update()
    {
        const auto owned = updated_parameters(stage_, shard_, plan());
        finish_gradients(static_cast<double>(owned));
        const auto ready = gradients_ready();
        const auto left = offload_.update(owned, {&ready, 1});
        if (left > 0) {
            runner_.stream("optimizer",
                           update_bytes_per_parameter(workload_) * static_cast<double>(left));
        }
        offload_.await_update(left);
        runner_.restart("end of step", framework().step_overhead);
        runner_.stream("clear gradients",
                       static_cast<double>(shard_.gradient) * static_cast<double>(owned));
    }

    /// The last gradients have come; overflow and norm as DataExchange does.
    void finish_gradients(double owned)
    {
        const Collective scalar{CollectiveKind::all_reduce, Bytes::of(4), number(Slot::data), 0};
        if (workload_.loss_scaling) {
            await_data();
            runner_.stream("unscale gradients", 2 * static_cast<double>(shard_.gradient) * owned);
        }
        if (data_ && workload_.loss_scaling) {
            append_data("overflow check", scalar);
        }
        if (data_ && workload_.gradient_clipping) {
            append_data("gradient norm", scalar);
        }
        await_data();
    }

    void await_data()
    {
        if (data_ && builder_.last(*data_)) {
            writer_.await(*builder_.last(*data_));
        }
    }

    const spec::WorkloadSpec& workload_;
    Stage stage_;
    Shard shard_;
    ProgramBuilder builder_;
    TaskWriter writer_;
    BlockRunner runner_;
    StageParts parts_;
    OffloadTasks offload_;
    const std::vector<const Block*>& blocks_;
    ActivationOffload activations_;
    MemoryMarks memory_;
    std::optional<StreamId> data_;
    std::deque<std::optional<Dependence>> gathered_;  ///< for the blocks that run backward next
    std::size_t next_ = 0;                            ///< the block above those not gathered yet
    bool backward_ = false;
    std::int64_t micro_batch_ = 0;
    std::vector<Dependence> ran_;  ///< the last kernel of every block of this pass
};

}  // namespace

Program sharded_program(const spec::WorkloadSpec& workload, const Stage& stage,
                        std::vector<std::string>& labels)
{
    SIM_EXPECT(stage.stages == 1 && workload.plan.zero >= 2);
    return ShardedBuilder{workload, stage, labels}.build();
}

}  // namespace sim::workload
