#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/byte_source.hpp"
#include "formats/kineto_events.hpp"
#include "formats/trace_labels.hpp"

namespace sim::formats
{

inline constexpr std::uint32_t kNoMessage = 0xffffffff;

/// A kernel, copy or fill on the GPU.
struct KinetoWork {
    double start_us = 0;
    double end_us = 0;
    std::int64_t correlation = -1;
    std::int64_t external = -1;
    std::uint32_t stream = 0;  ///< index into KinetoRecording::streams
    std::uint32_t label = 0;
    std::uint32_t message = kNoMessage;  ///< told by the kernel itself
    bool kernel = false;                 ///< not a copy or fill
    bool communicates = false;           ///< a kernel of NCCL or RCCL
};

enum class KinetoCallKind : std::uint8_t {
    launch,      ///< of a kernel, copy or fill
    await_all,   ///< returns when the GPU has nothing left to do
    await_some,  ///< ... when a stream or an event of it has come
    order,       ///< makes a stream wait for an event
};

/// A call of the CUDA or HIP runtime.
struct KinetoCall {
    double start_us = 0;
    double end_us = 0;
    std::int64_t correlation = -1;
    std::int64_t external = -1;
    std::uint32_t thread = 0;
    KinetoCallKind kind = KinetoCallKind::launch;
};

/// A record_param_comms, an annotation "nccl:all_reduce", or what a kernel tells itself.
struct KinetoTold {
    double start_us = 0;
    double end_us = 0;
    std::int64_t external = -1;
    std::uint32_t thread = 0;
    KinetoMessage message;
};

/// What is of use of one rank's file.
struct KinetoRecording {
    std::string file;
    KinetoHeader header;
    std::vector<KinetoWork> works;
    std::vector<KinetoCall> calls;
    std::vector<KinetoTold> told;
    std::vector<std::int64_t> streams;  ///< as the file numbers them
    std::vector<std::string> steps;     ///< the names of its ProfilerStep#N
    double first_us = 0;                ///< the first start and the last end of anything
    double last_us = 0;
    double host_last_us = 0;     ///< the last end of anything on the host
    std::uint64_t negative = 0;  ///< durations that were below 0 and are taken for 0
    std::uint64_t untimed = 0;   ///< events without a time
};

/// Names of kernels go to `labels`. Throws InputError.
[[nodiscard]] KinetoRecording read_kineto(const std::string& name, ByteSource& bytes,
                                          TraceLabels& labels);

}  // namespace sim::formats
