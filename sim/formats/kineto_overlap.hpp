#pragma once

#include "formats/kineto_recording.hpp"
#include "formats/trace.hpp"

namespace sim::formats
{

/// Of the recording as it is: time with communication on the GPU, and the part of it with a kernel
/// that computes beside it, as trace viewers count them (copies are neither).
[[nodiscard]] TraceOverlap recorded_overlap(const KinetoRecording& recording);

}  // namespace sim::formats
