#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/byte_source.hpp"

namespace sim::formats
{

/// What the arguments of an event tell of communication.
struct KinetoMessage {
    std::string collective;         ///< "allreduce", "_allgather_base"; empty: not told
    std::string type;               ///< of an element: "Float", "BFloat16"; empty: not told
    std::int64_t elements_in = -1;  ///< -1: not told
    std::int64_t elements_out = -1;
    std::int64_t group_size = -1;
    std::string group;  ///< the process group's name
    std::string ranks;  ///< "[0, 1, ...]", cut short when they are many
    std::int64_t first_rank = -1;
    std::int64_t rank_stride = -1;
    std::int64_t source = -1;
    std::int64_t destination = -1;
};

/// One entry of traceEvents. Texts are good during the visit only.
struct KinetoEvent {
    std::string phase;     ///< "X" has a duration
    std::string category;  ///< "kernel", "cuda_runtime", ...; of 2021 "Kernel", "Runtime"
    std::string name;
    std::string thread;  ///< tid, which may be a text
    double start_us = 0;
    double duration_us = 0;
    bool timed = false;        ///< it has a finite start
    std::int64_t device = -1;  ///< -1 in these: not told
    std::int64_t stream = -1;
    std::int64_t correlation = -1;
    std::int64_t external = -1;
    KinetoMessage message{};
    std::int64_t first_input_elements = -1;  ///< product of "Input Dims"'s first entry
    std::string first_input_type{};
};

/// What a file says of its job outside of the events, in whatever place.
struct KinetoHeader {
    std::optional<std::uint32_t> rank;
    std::optional<std::uint32_t> ranks;  ///< world_size
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> groups;
};

/// True when the beginning of a file looks like a trace of PyTorch's profiler.
[[nodiscard]] bool is_kineto(std::string_view beginning);

/// Visits the events in the order of the file, which is never in memory as a whole. Throws
/// InputError when it is not whole JSON.
[[nodiscard]] KinetoHeader read_kineto_events(const std::string& name, ByteSource& bytes,
                                              const std::function<void(const KinetoEvent&)>& visit);

}  // namespace sim::formats
