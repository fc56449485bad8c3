#pragma once

#include "formats/trace.hpp"
#include "spec/gpu.hpp"
#include "spec/trace.hpp"

namespace sim::formats
{

/// Scales recorded compute, slows and drops ranks as asked. Throws InputError when a rank is none
/// of the job's, or one that is dropped takes part in messages.
void apply_what_if(Trace& trace, const spec::TraceSpec& asked);

/// Takes recorded kernels over from one GPU to another by the ratio of their rooflines: matrix
/// products and attention, known by their names, by bf16's sustained rate, all else by the HBM's.
void take_over(Trace& trace, const spec::GpuSpec& from, const spec::GpuSpec& to);

}  // namespace sim::formats
