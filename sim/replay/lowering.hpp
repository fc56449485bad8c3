#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collective/schedule.hpp"
#include "compute/kernel_cost.hpp"
#include "core/id.hpp"
#include "core/log.hpp"
#include "engine/engine.hpp"
#include "replay/chunk.hpp"
#include "replay/copy_lowering.hpp"
#include "replay/machine.hpp"
#include "spec/fidelity.hpp"
#include "workload/task_graph.hpp"

namespace sim::replay
{

/// A kernel of a program, ready to start on any GPU.
struct LoweredKernel {
    compute::KernelCost cost;
    Time latency{};         ///< launch; or the whole duration when it is recorded
    bool recorded = false;  ///< pure latency: uses no resource
    bool of_host = false;
    bool exposes_communication = false;
};

/// What one member sends in one collective.
struct Traffic {
    double bytes = 0;      ///< out of its GPU, over NVLink or towards its NIC
    double nic_bytes = 0;  ///< the part that left through its NIC
};

struct SentOverNetwork {
    GpuId from;
    GpuId to;
    double bytes = 0;
};

struct LoweredFlow {
    double amount = 0;
    Time latency{};
    double share = 1;
    double rate_cap = engine::kUnlimited;
    std::uint32_t first_use = 0;
    std::uint32_t uses = 0;
    std::uint32_t first_route = 0;
    std::uint32_t routes = 0;
};

/// What a flow sends between two GPUs over the network, where routes change while the job runs.
struct LoweredRoute {
    GpuId from;
    GpuId to;
    std::uint64_t label = 0;
    double consumption = 0;  ///< bytes per byte of the flow's amount
};

/// Flows [first_flow, first_flow + flows) run together.
struct LoweredPhase {
    std::uint32_t first_flow = 0;
    std::uint32_t flows = 0;
};

/// A collective with its links and memories replaced by engine resources: either phases of flows or
/// chunks, or neither when nothing moves. The library's launch cost is part of the first phase's
/// latency.
struct LoweredCollective {
    std::vector<LoweredPhase> phases;  ///< none of them empty
    ChunkPlan chunks;
    std::vector<LoweredFlow> flows;
    std::vector<engine::Use> uses;  ///< without those of `routes`
    std::vector<LoweredRoute> routes;
    std::vector<Traffic> traffic;         ///< by position in the communicator
    std::optional<ResourceKind> binding;  ///< class of the link that sets the lower bound
    Time lower_bound{};                   ///< without the launch; of this fidelity
    bool holds_sms = false;

    [[nodiscard]] bool chunked() const { return !chunks.hops.empty(); }
};

/// Tasks become activities. Kernels are costed once per program, collectives planned once per
/// communicator, kind and size; see sim/replay/README.md.
class Lowering
{
public:
    Lowering(const Machine& machine, const workload::TaskGraph& graph,
             const spec::FidelitySpec& fidelity = {});

    [[nodiscard]] const LoweredKernel& kernel(ProgramId program, std::uint32_t payload) const
    {
        return kernels_[program.index()][payload];
    }

    [[nodiscard]] spec::Fidelity fidelity(workload::CollectiveKind kind) const;

    /// The reference stays valid as long as the Lowering.
    [[nodiscard]] const LoweredCollective& collective(CommunicatorId communicator,
                                                      const workload::Collective& collective);

    /// What one such collective sends from GPU to GPU over the network, by source and destination.
    [[nodiscard]] std::vector<SentOverNetwork> network_pairs(
        CommunicatorId communicator, const workload::Collective& collective) const;

    /// Of the program's copy `payload`, where that rank runs. Stays valid as long as the Lowering.
    [[nodiscard]] const LoweredCopy& copy(RankId rank, std::uint32_t payload);
    /// A copy lowered elsewhere.
    void adopt(RankId rank, std::uint32_t payload, LoweredCopy copy);

    /// A plan made elsewhere, for a communicator that has none of that kind and size yet.
    void adopt(CommunicatorId communicator, const workload::Collective& collective,
               LoweredCollective plan);

private:
    struct Planned {
        workload::CollectiveKind kind;
        Bytes size;
        std::optional<double> recorded_seconds;
        std::unique_ptr<LoweredCollective> plan;

        [[nodiscard]] bool is_of(const workload::Collective& collective) const
        {
            return kind == collective.kind && size == collective.size &&
                   recorded_seconds == collective.recorded_seconds;
        }
    };

    [[nodiscard]] std::unique_ptr<LoweredCopy>& copy_slot(RankId rank, std::uint32_t payload);
    [[nodiscard]] collective::Schedule plan(CommunicatorId communicator,
                                            const workload::Collective& collective) const;
    [[nodiscard]] std::vector<GpuId> members(CommunicatorId communicator) const;
    [[nodiscard]] LoweredCollective lower(CommunicatorId communicator,
                                          const workload::Collective& collective);
    /// Once for each kind: it is simulated less closely than was asked.
    void say_no_steps(const collective::Schedule& schedule, collective::Kind kind);
    void append(LoweredCollective& lowered, const collective::Phase& phase) const;
    void lower_flows(LoweredCollective& lowered, const collective::Schedule& schedule) const;
    void lower_analytic(LoweredCollective& lowered, const collective::Schedule& schedule) const;
    [[nodiscard]] Time launch(const collective::Schedule& schedule) const;
    void count_traffic(LoweredCollective& lowered, const collective::Flow& flow,
                       const std::vector<GpuId>& members) const;

    const Machine& machine_;
    const workload::TaskGraph& graph_;
    spec::FidelitySpec fidelity_;
    collective::Planner planner_;
    Log log_{"replay"};
    std::vector<std::string> told_;                    ///< what was said once
    std::vector<std::vector<LoweredKernel>> kernels_;  ///< by program and payload
    std::vector<std::vector<Planned>> plans_;          ///< by communicator
    std::optional<CopyLowering> copy_lowering_;        ///< absent when nothing is copied
    std::vector<std::vector<std::unique_ptr<LoweredCopy>>> copies_;  ///< by rank and payload
};

}  // namespace sim::replay
