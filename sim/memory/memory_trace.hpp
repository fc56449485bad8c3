#pragma once

#include <string>
#include <vector>

#include "memory/dram_system.hpp"

namespace sim::memory
{

/// Accesses of a trace file, in the order and at the times written.
///
/// One line an access: DRAMsim3 "0x2000D5C0 READ 30" (time in command clocks), Ramulator
/// "LD 0x1000" or "4096 R" (no time: all at once). Blank lines and lines that start with # are
/// skipped. Addresses are decimal, or hexadecimal after 0x.
struct MemoryTrace {
    std::vector<DramSystem::TimedBurst> accesses{};
    bool timed = false;
};

/// Throws InputError with every bad line (file:line): no such operation, an address that is no
/// number or beyond `capacity`, a time before 0, before the line above, or not in whole clocks;
/// throws Error when the file cannot be read.
[[nodiscard]] MemoryTrace read_trace(const std::string& path, const spec::DramSpec& dram,
                                     std::uint64_t capacity);

}  // namespace sim::memory
