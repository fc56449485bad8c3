#include "workload/communicators.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "core/contract.hpp"
#include "workload/shard.hpp"

namespace sim::workload
{

namespace
{

class Groups
{
public:
    Groups(TaskGraph& graph, const spec::PlanSpec& plan)
        : graph_{graph}, plan_{plan}, replicas_{spec::replicas(plan)}
    {
        const auto ranks = std::size_t{1} * plan.tensor * replicas_ * plan.pipeline;
        graph_.slots_per_rank = kSlots;
        graph_.slots.assign(ranks * kSlots, kNoCommunicator);
    }

    void add_tensor()
    {
        for (int stage = 0; stage < plan_.pipeline; ++stage) {
            for (int replica = 0; replica < replicas_; ++replica) {
                std::vector<RankId> members;
                for (int shard = 0; shard < plan_.tensor; ++shard) {
                    members.push_back(rank(shard, replica, stage));
                }
                add(Slot::tensor, Purpose::tensor, std::move(members));
            }
        }
    }

    /// Neighbouring replicas, `size` of them, in one group.
    void add_replicas(Slot slot, int size, Purpose purpose = Purpose::data)
    {
        SIM_EXPECT(size > 0 && replicas_ % size == 0);
        for (int stage = 0; stage < plan_.pipeline; ++stage) {
            for (int shard = 0; shard < plan_.tensor; ++shard) {
                for (int start = 0; start < replicas_; start += size) {
                    std::vector<RankId> members;
                    for (int replica = start; replica < start + size; ++replica) {
                        members.push_back(rank(shard, replica, stage));
                    }
                    add(slot, purpose, std::move(members));
                }
            }
        }
    }

    /// The ranks at the same place in every group of `size` neighbours.
    void add_peers(int size)
    {
        for (int stage = 0; stage < plan_.pipeline; ++stage) {
            for (int shard = 0; shard < plan_.tensor; ++shard) {
                for (int place = 0; place < size; ++place) {
                    std::vector<RankId> members;
                    for (int replica = place; replica < replicas_; replica += size) {
                        members.push_back(rank(shard, replica, stage));
                    }
                    add(Slot::peers, Purpose::data, std::move(members));
                }
            }
        }
    }

    void add_pipeline()
    {
        // A chunk's end is followed by the next chunk's start: from the last stage to the first.
        const int links = plan_.chunks > 1 ? plan_.pipeline : plan_.pipeline - 1;
        for (int stage = 0; stage < links; ++stage) {
            for_each_position([&](int shard, int replica) {
                const auto earlier = rank(shard, replica, stage);
                const auto later = rank(shard, replica, (stage + 1) % plan_.pipeline);
                const auto forward = create(Purpose::pipeline, {earlier, later});
                assign(earlier, Slot::forward_send, forward);
                assign(later, Slot::forward_receive, forward);
                const auto backward = create(Purpose::pipeline, {later, earlier});
                assign(later, Slot::backward_send, backward);
                assign(earlier, Slot::backward_receive, backward);
            });
        }
    }

    void add_embedding()
    {
        for_each_position([&](int shard, int replica) {
            add(Slot::embedding, Purpose::other,
                {rank(shard, replica, 0), rank(shard, replica, plan_.pipeline - 1)});
        });
    }

    /// The ranks of a stage in their order: expert_tensor fastest, then expert, then replicas.
    void add_experts()
    {
        const int cut = plan_.expert_tensor;
        const int copy = cut * plan_.expert;
        const int replicas = expert_replicas(plan_);
        for (int stage = 0; stage < plan_.pipeline; ++stage) {
            for (int replica = 0; replica < replicas; ++replica) {
                for (int part = 0; part < cut; ++part) {
                    add_every(Slot::expert, Purpose::expert, stage,
                              {replica * copy + part, cut, plan_.expert});
                }
                for (int group = 0; group < plan_.expert; ++group) {
                    add_every(Slot::expert_tensor, Purpose::expert, stage,
                              {replica * copy + group * cut, 1, cut});
                }
            }
            for (int position = 0; position < copy; ++position) {
                add_every(Slot::expert_data, Purpose::data, stage, {position, copy, replicas});
            }
        }
    }

private:
    /// Every so-many-th rank of a stage.
    struct Stride {
        int first;
        int step;
        int count;
    };

    void add_every(Slot slot, Purpose purpose, int stage, Stride stride)
    {
        std::vector<RankId> members;
        for (int index = 0; index < stride.count; ++index) {
            const int rank_of_stage = stride.first + index * stride.step;
            members.push_back(rank(rank_of_stage, 0, stage));
        }
        add(slot, purpose, std::move(members));
    }

    template <class Visitor>
    void for_each_position(Visitor visit) const
    {
        for (int replica = 0; replica < replicas_; ++replica) {
            for (int shard = 0; shard < plan_.tensor; ++shard) {
                visit(shard, replica);
            }
        }
    }

    [[nodiscard]] RankId rank(int shard, int replica, int stage) const
    {
        const auto column = static_cast<std::size_t>(stage) * replicas_ + replica;
        return RankId{column * plan_.tensor + shard};
    }

    std::uint32_t create(Purpose purpose, std::vector<RankId> members)
    {
        graph_.communicators.push_back({purpose, std::move(members)});
        return static_cast<std::uint32_t>(graph_.communicators.size()) - 1;
    }

    void assign(RankId rank, Slot slot, std::uint32_t communicator)
    {
        graph_.slots[std::size_t{rank.index()} * kSlots + number(slot)] = communicator;
    }

    void add(Slot slot, Purpose purpose, std::vector<RankId> members)
    {
        if (members.size() < 2) {
            return;
        }
        const auto communicator = create(purpose, std::move(members));
        for (const auto member : graph_.communicators.back().members) {
            assign(member, slot, communicator);
        }
    }

    TaskGraph& graph_;
    const spec::PlanSpec& plan_;
    int replicas_;
};

}  // namespace

void add_communicators(TaskGraph& graph, const spec::WorkloadSpec& workload)
{
    const auto& plan = workload.plan;
    Groups groups{graph, plan};
    groups.add_tensor();
    groups.add_replicas(Slot::data, spec::replicas(plan));
    groups.add_replicas(Slot::context, plan.context, Purpose::context);
    if (optimizer_group(plan) > 1 && optimizer_group(plan) < spec::replicas(plan)) {
        groups.add_replicas(Slot::zero, optimizer_group(plan));
        if (plan.zero >= 2) {
            groups.add_peers(optimizer_group(plan));
        }
    }
    if (plan.backward_group) {
        groups.add_replicas(Slot::backward_share, *plan.backward_group);
    }
    if (workload.model.experts) {
        groups.add_experts();
    }
    groups.add_pipeline();
    if (workload.model.tied_embeddings && plan.pipeline > 1) {
        groups.add_embedding();
    }
}

}  // namespace sim::workload
