#pragma once

#include "memory/access_pattern.hpp"
#include "spec/memory.hpp"

namespace sim::memory
{

/// What the timing table alone says, as shares of the data pins' bandwidth.
struct ClosedForm {
    double fraction = 0;
    Time idle_read{};  ///< tRCD + tCL + burst
};

/// sequential = 1 - (tRFC + tRP + tRCD + tRTP) / tREFI, all-bank refresh only;
/// random     = sequential x min(4 bursts / tFAW, 1 / tRRD_S, row commands, 0.9 banks / tRC);
/// mixed      = sequential x data / (data + turnarounds), one drain of the write queue a turn;
/// strided    = within one bank group tCCD_L binds, within one bank tRC.
/// Knows no row conflicts between streams (sim/memory/dram.md).
[[nodiscard]] ClosedForm closed_form(const spec::DramSpec& dram, const PatternSpec& pattern);

/// Little's law: what `in_flight` bytes can keep moving when each takes `latency`, at most `most`.
[[nodiscard]] Bandwidth littles_law(Bytes in_flight, Time latency, Bandwidth most);

}  // namespace sim::memory
