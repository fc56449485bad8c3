#pragma once

#include "memory/dram_system.hpp"
#include "spec/memory.hpp"

namespace sim::memory
{

/// A kernel of the STREAM family on a GPU: every thread touches one element of each array and
/// ends; its block is then replaced by the next one.
struct GpuStream {
    int reads = 1;  ///< arrays
    int writes = 0;
    int block_threads = 1024;
    int blocks_per_sm = 2;
    Bytes element = Bytes::of(8);
};

/// Bytes per second of all arrays together.
///
/// Each resident block is one user of the memory: it asks for its piece of every array, waits
/// for the slowest byte, and is replaced after `block_turnover`. The load takes `latency` when
/// nothing else runs; what the DRAM model says of the queues comes on top. Writes are posted.
/// The result is scaled by `read_factor` where the pins are the limit: the pins are slowed by it,
/// so far below saturation it has no effect.
[[nodiscard]] DramResult gpu_stream(const spec::GpuMemorySpec& gpu, const GpuStream& kernel);

}  // namespace sim::memory
