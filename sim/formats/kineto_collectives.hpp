#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/kineto_recording.hpp"
#include "workload/task_graph.hpp"

namespace sim::formats
{

inline constexpr std::uint32_t kNoCall = 0xffffffff;

/// What a kernel of the communication library does.
struct KinetoCollective {
    enum class Way : std::uint8_t { collective, send, receive, unknown };

    Way way = Way::unknown;
    workload::CollectiveKind kind = workload::CollectiveKind::all_reduce;
    std::int64_t size = 0;                ///< bytes, as nccl-tests' "size"; 0: not told
    std::string group;                    ///< its name; empty: not told
    std::vector<std::uint32_t> ranks;     ///< of the group, ascending; none: not told
    bool input_alone = false;             ///< the size is what a rank puts in, not what comes out
    std::optional<std::uint32_t> peer{};  ///< of send and receive, among the group's ranks
};

struct KinetoCollectives {
    std::vector<KinetoCollective> of_work;  ///< by work; of those that communicate
    std::uint64_t by_order = 0;  ///< joined to what was told by their name and order alone
    std::uint64_t by_name = 0;   ///< of which only the kernel's name tells what they do
};

/// Of PyTorch's name ("allreduce", "_allgather_base", "all_to_allv"); absent for what is none of
/// those that can be simulated.
[[nodiscard]] std::optional<workload::CollectiveKind> collective_named(std::string_view name);

/// Joins every kernel of the library to what the file tells of it: the kernel's own words, a
/// record_param_comms of the same External id (its own or its launch's), one whose time holds the
/// launch, and last the k-th of a kind to the k-th told. `launch_of` is by work, kNoCall: none;
/// `labels` are the kernels' names.
[[nodiscard]] KinetoCollectives join_collectives(const KinetoRecording& recording,
                                                 const std::vector<std::uint32_t>& launch_of,
                                                 const std::vector<std::string>& labels);

}  // namespace sim::formats
