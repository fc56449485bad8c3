#include "workload/stage_program.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "workload/activation_offload.hpp"
#include "workload/block_runner.hpp"
#include "workload/communicators.hpp"
#include "workload/data_exchange.hpp"
#include "workload/expert_exchange.hpp"
#include "workload/memory_marks.hpp"
#include "workload/offload_tasks.hpp"
#include "workload/pipeline_schedule.hpp"
#include "workload/program_builder.hpp"
#include "workload/stage_parts.hpp"
#include "workload/task_writer.hpp"

namespace sim::workload
{

namespace
{

class StageBuilder
{
public:
    StageBuilder(const spec::WorkloadSpec& workload, const Stage& stage,
                 std::vector<std::string>& labels)
        : workload_{workload},
          stage_{stage},
          shard_{shard(workload)},
          builder_{labels},
          writer_{builder_, builder_.add_stream("compute")},
          runner_{workload, writer_},
          parts_{workload, stage, builder_},
          exchange_{workload, stage, parts_, writer_},
          experts_{workload, parts_, writer_},
          activations_{workload, stage, parts_, writer_},
          memory_{workload, stage, parts_, writer_},
          offload_{workload, stage, writer_}
    {
        runner_.add_host();
        add_transfers();
    }

    Program build()
    {
        const auto micro_batches = spec::micro_batches(workload_);
        const auto schedule = stage_schedule(workload_, stage_.index);
        for (std::size_t index = 0; index < schedule.size(); ++index) {
            const auto& visit = schedule[index];
            exchange_messages(schedule, index);
            run(visit, visit.micro_batch + 1 == micro_batches);
            exchange_.visit_ended();
        }
        await_sent();
        exchange_.reduce_what_is_left();
        experts_.await_reductions();
        update();
        auto program = builder_.take();
        offload_.finish(program);
        return program;
    }

private:
    [[nodiscard]] const spec::PlanSpec& plan() const { return workload_.plan; }
    [[nodiscard]] const spec::FrameworkSpec& framework() const { return workload_.framework; }
    [[nodiscard]] bool blocking() const { return framework().blocking_transfers; }
    [[nodiscard]] bool scatters() const
    {
        return framework().scattered_transfers && runner_.tensor() && !shard_.sequence_parallel;
    }

    /// Some chunk sends or receives gradients.
    [[nodiscard]] bool sends_gradients() const
    {
        const auto& chunks = parts_.chunks();
        return std::any_of(chunks.begin(), chunks.end(), [](const Chunk& chunk) {
            return !chunk.first && chunk.passes_gradient;
        });
    }
    [[nodiscard]] bool receives_gradients() const
    {
        const auto& chunks = parts_.chunks();
        return std::any_of(chunks.begin(), chunks.end(),
                           [](const Chunk& chunk) { return !chunk.last && chunk.learns; });
    }

    void add_transfers()
    {
        const bool ring = plan().chunks > 1;
        if (!stage_.first() || ring) {
            forward_receive_ = add_transfer("forward receive", Slot::forward_receive);
        }
        if (sends_gradients()) {
            backward_send_ = add_transfer("backward send", Slot::backward_send);
        }
        if (!stage_.last() || ring) {
            forward_send_ = add_transfer("forward send", Slot::forward_send);
        }
        if (receives_gradients()) {
            backward_receive_ = add_transfer("backward receive", Slot::backward_receive);
        }
        if (scatters()) {
            const Collective gather{CollectiveKind::all_gather, hidden_state(shard_.tokens),
                                    number(Slot::tensor), 0};
            whole_ = {*runner_.tensor(), TaskKind::collective,
                      builder_.collective("received gather", gather)};
        }
    }

    [[nodiscard]] Bytes hidden_state(std::int64_t tokens) const
    {
        return Bytes::of(shard_.element * tokens * shard_.hidden);
    }

    /// A stream on which the same message is sent or received for every micro-batch.
    ProgramBuilder::NewTask add_transfer(const char* name, Slot slot)
    {
        const auto tokens = scatters() ? shard_.tokens / shard_.tensor : shard_.local_tokens;
        const auto payload = builder_.collective(
            name, {CollectiveKind::send_recv, hidden_state(tokens), number(slot), 0});
        return {builder_.add_stream(name), TaskKind::collective, payload};
    }

    void run(const Visit& visit, bool last_of_step)
    {
        const auto index = static_cast<std::size_t>(visit.chunk);
        switch (visit.pass) {
            case Pass::forward:
                forward(visit);
                break;
            case Pass::backward:
                if (parts_.chunks()[index].learns) {
                    backward(visit, last_of_step);
                }
                break;
            case Pass::weights:
                weights(visit, last_of_step);
                break;
        }
    }

    void forward(const Visit& visit)
    {
        const auto index = static_cast<std::size_t>(visit.chunk);
        const auto& chunk = parts_.chunks()[index];
        for (std::size_t block = 0; block < chunk.blocks.size(); ++block) {
            if (visit.micro_batch == 0) {
                exchange_.await_parameters(index, block);
                if (block == 0) {
                    experts_.await_parameters(index);
                }
            }
            memory_.forward_begins(index, block);
            runner_.issue(chunk.blocks[block]->issue_forward);
            runner_.run(chunk.blocks[block]->forward);
            memory_.forward_ended(index, block);
            offload_.pass_ended(*chunk.blocks[block]);
            activations_.after_forward({visit.micro_batch, index, block});
        }
        if (!chunk.last) {
            send(forward_send_);
        }
    }

    void backward(const Visit& visit, bool last_of_step)
    {
        const auto index = static_cast<std::size_t>(visit.chunk);
        const auto& chunk = parts_.chunks()[index];
        for (auto position = chunk.blocks.size(); position-- > 0;) {
            const auto& block = *chunk.blocks[position];
            if (block.backward.entries.empty() && block.weights.entries.empty()) {
                continue;
            }
            activations_.before_backward({visit.micro_batch, index, position});
            memory_.backward_begins(index, position);
            if (!block.recompute.entries.empty()) {
                runner_.issue(block.issue_forward);
                runner_.run(block.recompute);
            }
            runner_.issue(issue_backward(block));
            runner_.run(block.backward, [&](std::int64_t gradients) {
                if (last_of_step && !puts_off_weights()) {
                    exchange_.gradients_ready(index, block, gradients);
                }
            });
            memory_.backward_ended(index, position);
            if (!puts_off_weights()) {
                memory_.freed(index, position);
                offload_.pass_ended(block);
                activations_.after_backward({visit.micro_batch, index, position});
            }
        }
        if (!puts_off_weights()) {
            passes_ended(index, last_of_step);
        }
        if (!chunk.first && chunk.passes_gradient) {
            send(backward_send_);
        }
    }

    /// What a backward pass has put off.
    void weights(const Visit& visit, bool last_of_step)
    {
        const auto index = static_cast<std::size_t>(visit.chunk);
        const auto& blocks = parts_.chunks()[index].blocks;
        for (auto position = blocks.size(); position-- > 0;) {
            const auto& block = *blocks[position];
            runner_.issue(issue_backward(block));
            runner_.run(block.weights, [&](std::int64_t gradients) {
                if (last_of_step) {
                    exchange_.gradients_ready(index, block, gradients);
                }
            });
            memory_.freed(index, position);
            offload_.pass_ended(block);
            activations_.after_backward({visit.micro_batch, index, position});
        }
        passes_ended(index, last_of_step);
    }

    /// All of a micro-batch through a chunk.
    void passes_ended(std::size_t index, bool last_of_step)
    {
        memory_.micro_batch_ended(index);
        if (last_of_step) {
            experts_.reduce(index);
        }
    }

    [[nodiscard]] bool puts_off_weights() const
    {
        return plan().schedule == spec::Schedule::zero_bubble;
    }
    /// Half of it for each half of the pass.
    [[nodiscard]] Time issue_backward(const Block& block) const
    {
        return block.issue_backward * (puts_off_weights() ? 0.5 : 1.0);
    }

    /// Before a visit: what it needs comes in, and a blocking stage has sent what it made. One that
    /// alternates forwards and backwards of several chunks exchanges the messages of both at once.
    void exchange_messages(const StageSchedule& schedule, std::size_t index)
    {
        const auto& visit = schedule[index];
        if (visit.pass == Pass::weights) {
            return;
        }
        const bool pairs = blocking() && plan().chunks > 1;
        const bool second = pairs && index > 0 && is_pair(schedule[index - 1], visit);
        if (second) {
            return;
        }
        bool received = receive_for(visit);
        if (pairs && index + 1 < schedule.size() && is_pair(visit, schedule[index + 1])) {
            received |= receive_for(schedule[index + 1]);
        }
        const bool sent = !sent_.empty();
        await_sent();
        if (received && scatters()) {
            writer_.await(writer_.append(whole_));
        }
        if (blocking() && (received || sent)) {
            restart();
        }
    }

    [[nodiscard]] static bool is_pair(const Visit& first, const Visit& second)
    {
        return first.pass == Pass::forward && second.pass == Pass::backward;
    }

    bool receive_for(const Visit& visit)
    {
        const bool ahead = visit.pass == Pass::forward;
        const auto& chunk = parts_.chunks()[static_cast<std::size_t>(visit.chunk)];
        const bool receives = ahead ? !chunk.first : !chunk.last && chunk.learns;
        if (receives) {
            receive(ahead ? forward_receive_ : backward_receive_);
        }
        return receives;
    }

    /// What is awaited so far is for the next kernel, not for the message.
    void receive(const ProgramBuilder::NewTask& transfer)
    {
        const auto kernel = builder_.last(writer_.compute());
        const bool late = kernel && blocking();
        const auto after = late ? std::span{&*kernel, 1} : std::span<const Dependence>{};
        writer_.await(writer_.append_apart(transfer, after));
    }

    void send(const ProgramBuilder::NewTask& transfer)
    {
        const auto sent = writer_.append_after_compute(transfer);
        if (blocking()) {
            sent_.push_back(sent);
        }
    }

    void await_sent()
    {
        for (const auto& sent : sent_) {
            writer_.await(sent);
        }
        sent_.clear();
    }

    void restart()
    {
        if (framework().transfer_restart > Time{}) {
            runner_.restart("restart", framework().transfer_restart);
        }
    }

    void update()
    {
        const auto parameters = trained_parameters(stage_, shard_);
        const auto ready = exchange_.reduced();
        const auto left = offload_.update(updated_parameters(stage_, shard_, plan()), ready);
        if (left > 0) {
            runner_.stream("optimizer",
                           update_bytes_per_parameter(workload_) * static_cast<double>(left));
        }
        offload_.await_update(left);
        exchange_.exchange_parameters();
        experts_.gather();
        // The host has read the gradients' norm, so its queue is empty.
        runner_.restart("end of step", framework().step_overhead);
        const auto cleared =
            static_cast<double>(shard_.gradient) + framework().step_bytes_per_parameter;
        runner_.stream("clear gradients", cleared * static_cast<double>(parameters));
    }

    const spec::WorkloadSpec& workload_;
    Stage stage_;
    Shard shard_;
    ProgramBuilder builder_;
    TaskWriter writer_;
    BlockRunner runner_;
    StageParts parts_;
    DataExchange exchange_;
    ExpertExchange experts_;
    ActivationOffload activations_;
    MemoryMarks memory_;
    OffloadTasks offload_;
    ProgramBuilder::NewTask forward_receive_;
    ProgramBuilder::NewTask forward_send_;
    ProgramBuilder::NewTask backward_receive_;
    ProgramBuilder::NewTask backward_send_;
    ProgramBuilder::NewTask whole_;
    std::vector<Dependence> sent_;  ///< messages the stage waits for before it computes on
};

}  // namespace

Program stage_program(const spec::WorkloadSpec& workload, const Stage& stage,
                      std::vector<std::string>& labels)
{
    return StageBuilder{workload, stage, labels}.build();
}

}  // namespace sim::workload
