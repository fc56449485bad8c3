#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/quantity.hpp"
#include "spec/operation.hpp"

namespace sim::workload
{

/// Why a group of ranks talks: the ledger's word for its exposed time.
enum class Purpose : std::uint8_t { tensor, pipeline, data, context, expert, other };

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

enum class TaskKind : std::uint8_t { kernel, collective };

/// The task at `position` of `stream`, `steps_back` steps ago, must have ended.
struct Dependence {
    StreamId stream;
    std::uint32_t position = 0;
    std::uint32_t steps_back = 0;
};

/// One entry of a stream. `payload` indexes the program's kernels or collectives.
struct Task {
    TaskKind kind = TaskKind::kernel;
    std::uint32_t payload = 0;
    std::uint32_t first_dependence = 0;
    std::uint32_t dependences = 0;
};

struct Kernel {
    spec::Operation operation;
    std::uint32_t label = 0;      ///< index into TaskGraph::labels
    double recorded_seconds = 0;  ///< > 0: the duration is recorded, the operation is not modelled
    bool of_host = false;         ///< the host's work, which no resource of the machine limits
};

struct Collective {
    CollectiveKind kind = CollectiveKind::all_reduce;
    Bytes size{};            ///< as nccl-tests' "size": the larger of the two buffers a rank has
    std::uint32_t slot = 0;  ///< which of the rank's communicators (TaskGraph::slots)
    std::uint32_t label = 0;
};

struct Stream {
    std::string name;         ///< "compute", "tensor", "data", "pipeline forward send", ...
    std::vector<Task> tasks;  ///< of one step, in order
};

/// What a rank does in one step, shared by every rank that does the same. A run repeats it;
/// dependences with steps_back reach into the step before and are met in step 0.
/// Stream 0 is the compute stream.
struct Program {
    std::vector<Stream> streams;
    std::vector<Dependence> dependences;
    std::vector<Kernel> kernels;
    std::vector<Collective> collectives;
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
