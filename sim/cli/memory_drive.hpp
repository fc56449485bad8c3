#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/memory_report.hpp"
#include "memory/ssd.hpp"
#include "spec/ssd.hpp"

namespace sim::cli
{

/// One load on one drive or stripe, beside what the sheet says where it does.
struct DriveAnswer {
    std::string access;  ///< "128 KiB sequential read"
    memory::SsdLoad load{};
    memory::SsdRate rate{};
    std::optional<double> sheet;  ///< B/s in order, requests a second at random
    std::optional<double> error;  ///< predicted over the sheet's, less one
};

/// What a sheet has: in order and at random, reads, writes and both.
[[nodiscard]] std::vector<DriveAnswer> drive_answers(const spec::SsdSpec& ssd, int drives);

/// A named pattern at each queue depth: read, write (128 KiB in order), random-BYTES,
/// mix-R-W (4 KiB at random). Throws InputError for another.
[[nodiscard]] std::vector<DriveAnswer> drive_sweep(const spec::SsdSpec& ssd,
                                                   const MemoryQuestion& question,
                                                   const std::vector<int>& depths);

[[nodiscard]] std::string drive_text(const spec::SsdSpec& ssd, int drives,
                                     const std::vector<DriveAnswer>& answers);
/// How long a stripe lasts that is written so much a day.
[[nodiscard]] std::string wear_text(const spec::SsdSpec& ssd, int drives, Bytes a_day);
[[nodiscard]] std::string drive_rows(const std::vector<DriveAnswer>& answers);
[[nodiscard]] std::string hdd_text(const spec::HddSpec& hdd);

}  // namespace sim::cli
