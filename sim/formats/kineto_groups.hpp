#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/kineto_events.hpp"
#include "formats/trace.hpp"

namespace sim::formats
{

/// Ranks of a message's process group: as listed, or from start, stride and size where the list is
/// cut short, or from the file's list of groups. None when nothing tells.
[[nodiscard]] std::vector<std::uint32_t> told_ranks(const KinetoMessage& message,
                                                    const KinetoHeader& header);

/// The pattern by which a rank's group repeats over `total` ranks, when it is one: members at equal
/// distances, in blocks that divide the job.
[[nodiscard]] std::optional<TraceLattice> lattice_of(const std::vector<std::uint32_t>& ranks,
                                                     std::uint32_t total);

}  // namespace sim::formats
