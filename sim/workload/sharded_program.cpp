#include "workload/sharded_program.hpp"

#include <cstddef>
#include <optional>
#include <span>

#include "core/contract.hpp"
#include "workload/block_runner.hpp"
#include "workload/communicators.hpp"
#include "workload/program_builder.hpp"
#include "workload/stage_parts.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

namespace
{

/// Blocks whose parameters are whole at once; the host waits before it gathers another.
constexpr std::size_t kWhole = 2;

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
          blocks_{parts_.chunks().front().blocks}
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
            forward();
            backward(micro_batch + 1 == micro_batches);
        }
        update();
        return builder_.take();
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

    void forward()
    {
        ran_.clear();
        await_gather(gather(ends_parameters()));
        for (const auto* block : blocks_) {
            run_forward(*block);
        }
    }

    void run_forward(const Block& block)
    {
        std::optional<Dependence> whole;
        if (!is_end(block)) {
            whole = gather_block(block);
        }
        await_gather(whole);
        runner_.issue(framework().issue_forward, limit());
        runner_.run(block.forward);
        note_ran();
    }

    void backward(bool last_of_step)
    {
        ran_.clear();
        note_ran();
        std::optional<Dependence> next;
        for (auto position = blocks_.rbegin(); position != blocks_.rend(); ++position) {
            const auto& block = **position;
            const bool sharded = !is_end(block);
            if (sharded && regathers()) {
                await_gather(next ? next : gather_block(block));
                next.reset();
            }
            runner_.issue(framework().issue_backward, limit());
            runner_.run(block.recompute);
            runner_.run(block.backward);
            note_ran();
            if (sharded) {
                const auto following = position + 1;
                if (regathers() && following != blocks_.rend() && !is_end(**following)) {
                    next = gather_block(**following);
                }
                reduce(block.trained, last_of_step);
                reduce_experts(block.trained_experts);
            }
        }
        reduce(shard_.frozen() ? 0 : ends_parameters(), last_of_step);
    }

    void note_ran() { ran_.push_back(builder_.last(writer_.compute()).value()); }

    /// What has to be freed before another block may be gathered.
    [[nodiscard]] std::span<const Dependence> limit() const
    {
        return ran_.size() < kWhole ? std::span<const Dependence>{}
                                    : std::span{&ran_[ran_.size() - kWhole], 1};
    }

    /// The experts after the rest, from the ranks that hold the same ones.
    [[nodiscard]] std::optional<Dependence> gather_block(const Block& block)
    {
        auto whole = gather(block.parameters);
        if (data_ && block.experts > 0 && expert_replicas(plan()) > 1) {
            const auto size = Bytes::of(block.experts * shard_.element);
            const auto payload = builder_.collective(
                "expert gather", {CollectiveKind::all_gather, size, number(Slot::expert_data), 0});
            whole = writer_.append_apart({*data_, TaskKind::collective, payload}, limit());
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

    [[nodiscard]] std::optional<Dependence> gather(std::int64_t parameters)
    {
        if (!data_) {
            return std::nullopt;
        }
        const auto size = Bytes::of(parameters * shard_.element);
        const auto payload = builder_.collective(
            "parameter gather", {CollectiveKind::all_gather, size, number(slot()), 0});
        return writer_.append_apart({*data_, TaskKind::collective, payload}, limit());
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
        if (data_) {
            append_data("gradient norm",
                        {CollectiveKind::all_reduce, Bytes::of(4), number(Slot::data), 0});
            writer_.await(builder_.last(*data_).value());
        }
        const auto owned = static_cast<double>(updated_parameters(stage_, shard_, plan()));
        runner_.stream("optimizer", framework().optimizer_bytes_per_parameter * owned);
        runner_.restart("end of step", framework().step_overhead);
        runner_.stream("clear gradients", static_cast<double>(shard_.gradient) * owned);
    }

    const spec::WorkloadSpec& workload_;
    Stage stage_;
    Shard shard_;
    ProgramBuilder builder_;
    TaskWriter writer_;
    BlockRunner runner_;
    StageParts parts_;
    const std::vector<const Block*>& blocks_;
    std::optional<StreamId> data_;
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
