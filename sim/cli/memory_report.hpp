#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory/dram_system.hpp"

namespace sim::cli
{

struct MemoryQuestion {
    spec::DramSpec dram{};
    int stacks = 1;
    std::string pattern = "read";
    memory::PatternSpec accesses{};
    int in_flight = 0;  ///< accesses on the way per channel; 0: as many as the queues take
    std::vector<memory::DramSystem::TimedBurst> trace{};  ///< instead of a pattern
    std::optional<double> read_factor{};  ///< measured over modelled, where silicon is known
};

/// The three levels of one question, with the range the timings leave.
struct MemoryAnswer {
    MemoryQuestion question{};
    memory::DramResult bank{};
    double closed = 0;
    double least = 0;  ///< of the bank model over the ends of the uncertain timings
    double most = 0;
};

[[nodiscard]] MemoryAnswer answer_memory(const MemoryQuestion& question);

/// "refresh", "tFAW and tRRD", ...; by memory::Bound.
[[nodiscard]] const char* bound_name(int bound);
/// What most of the lost time is lost to; the pins when next to nothing is.
[[nodiscard]] const char* binding(const memory::DramResult& result);
[[nodiscard]] Bytes bytes_in_flight(const MemoryQuestion& question);

/// One answer in full.
[[nodiscard]] std::string memory_text(const MemoryAnswer& answer);
/// A row an answer.
[[nodiscard]] std::string memory_rows(const std::vector<MemoryAnswer>& answers);

}  // namespace sim::cli
