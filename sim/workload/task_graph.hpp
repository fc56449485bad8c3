#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "spec/operation.hpp"
#include "spec/tiers.hpp"

namespace sim::workload
{

/// Why bytes move: the ledger's word for its exposed time. The first six are of groups of ranks
/// that talk; the others of copies between the tiers of a node: of what is offloaded by the farther
/// end, of the host's work on it, of samples, of checkpoints.
enum class Purpose : std::uint8_t {
    tensor,
    pipeline,
    data,
    context,
    expert,
    other,
    dram,
    pool,
    storage,
    input,
    update,
    checkpoint
};

enum class CollectiveKind : std::uint8_t {
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    broadcast,
    send_recv,  ///< member 0 sends to member 1
};

/// An ordered group of ranks. Its collectives run one after another in the order of the members'
/// programs; all members run the same sequence.
struct Communicator {
    Purpose purpose = Purpose::other;
    std::vector<RankId> members;
};

enum class TaskKind : std::uint8_t { kernel, collective, copy };

/// The task at `position` of `stream`, `steps_back` steps ago, must have ended.
struct Dependence {
    StreamId stream;
    std::uint32_t position = 0;
    std::uint32_t steps_back = 0;

    friend bool operator==(const Dependence&, const Dependence&) = default;
};

/// One entry of a stream. `payload` indexes the program's kernels, collectives or copies.
struct Task {
    TaskKind kind = TaskKind::kernel;
    std::uint32_t payload = 0;
    std::uint32_t first_dependence = 0;
    std::uint32_t dependences = 0;

    friend bool operator==(const Task&, const Task&) = default;
};

struct Kernel {
    spec::Operation operation;
    std::uint32_t label = 0;                   ///< index into TaskGraph::labels
    std::optional<double> recorded_seconds{};  ///< then the operation is not modelled
    bool of_host = false;  ///< the host's work, which no resource of the machine limits
    /// Of a recording: a wait for the host, or a copy. What is communicated beside it is exposed,
    /// as trace viewers count.
    bool exposes_communication = false;

    friend bool operator==(const Kernel&, const Kernel&) = default;
};

struct Collective {
    CollectiveKind kind = CollectiveKind::all_reduce;
    Bytes size{};            ///< as nccl-tests' "size": the larger of the two buffers a rank has
    std::uint32_t slot = 0;  ///< which of the rank's communicators (TaskGraph::slots)
    std::uint32_t label = 0;
    std::optional<double> recorded_seconds{};  ///< then nothing of the machine is used

    friend bool operator==(const Collective&, const Collective&) = default;
};

/// Between two tiers that the rank's GPU reaches: one activity over every resource on the way
/// (sim/replay/copies.md). It needs no SM. From host memory to itself it is the cores' work: `size`
/// bytes in all are read and written there.
struct Copy {
    spec::DataTier from = spec::DataTier::hbm;
    spec::DataTier to = spec::DataTier::dram;
    Bytes size{};
    bool through_dram = false;  ///< by buffers in host memory also where neither end is there
    Purpose purpose = Purpose::dram;
    std::uint32_t label = 0;

    friend bool operator==(const Copy&, const Copy&) = default;
};

/// What a copy between these tiers is charged as: the farther of the two.
[[nodiscard]] Purpose purpose_of(spec::DataTier from, spec::DataTier to);

struct Stream {
    std::string name;         ///< "compute", "tensor", "data", "pipeline forward send", ...
    std::vector<Task> tasks;  ///< of one step, in order

    friend bool operator==(const Stream&, const Stream&) = default;
};

/// What of memory comes and goes in a step; the rest lies there all the time (footprint.hpp).
enum class MemoryContent : std::uint8_t {
    activations,       ///< in the GPU
    temporary,         ///< in the GPU: the working set of what runs
    host_activations,  ///< outside the GPU
    micro_batches,     ///< a count: those whose activations a chunk keeps
};
inline constexpr std::size_t kMemoryContents = 4;

/// From the start of a task, or from its end, a rank holds so much more, or less.
struct MemoryChange {
    StreamId stream;
    std::uint32_t position = 0;
    bool at_end = false;
    MemoryContent content = MemoryContent::activations;
    double amount = 0;

    friend bool operator==(const MemoryChange&, const MemoryChange&) = default;
};

/// What a rank does in one step, shared by every rank that does the same. A run repeats it;
/// dependences with steps_back reach into the step before and are met in step 0.
/// Stream 0 is the compute stream.
struct Program {
    std::vector<Stream> streams;
    std::vector<Dependence> dependences;
    std::vector<Kernel> kernels;
    std::vector<Collective> collectives;
    std::vector<Copy> copies;
    std::uint32_t stage = 0;           ///< of the pipeline
    std::vector<MemoryChange> memory;  ///< in the order in which they were written

    friend bool operator==(const Program&, const Program&) = default;
};

inline constexpr std::uint32_t kNoCommunicator = 0xffffffff;

/// A step of a job: few programs, many ranks.
struct TaskGraph {
    std::vector<Program> programs;
    std::vector<ProgramId> program_of_rank;
    std::vector<Communicator> communicators;
    std::uint32_t slots_per_rank = 0;
    /// [rank * slots_per_rank + slot]: communicator index or kNoCommunicator
    std::vector<std::uint32_t> slots;
    std::vector<std::string> labels;
    Flops model_flops{};      ///< of one step, the whole job: MFU's numerator
    std::int64_t tokens = 0;  ///< of one step, the whole job

    [[nodiscard]] std::size_t ranks() const { return program_of_rank.size(); }
};

}  // namespace sim::workload
