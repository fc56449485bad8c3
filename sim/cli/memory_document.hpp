#pragma once

#include <string>
#include <vector>

#include "cli/memory_drive.hpp"
#include "cli/memory_report.hpp"
#include "results/document.hpp"

namespace sim::cli
{

/// The dimension all answers lie along.
inline constexpr const char* kInFlight = "in_flight";
inline constexpr const char* kAccess = "access";

/// Of one DRAM: a row for each number of accesses on the way (0: what the queues take).
[[nodiscard]] results::Document memory_document(const std::vector<MemoryAnswer>& answers,
                                                const std::string& input_text);

/// Of one drive: a row a load.
[[nodiscard]] results::Document drive_document(const spec::SsdSpec& ssd,
                                               const std::vector<DriveAnswer>& answers,
                                               const std::string& input_text);

}  // namespace sim::cli
