#pragma once

#include <string>
#include <vector>

#include "core/id.hpp"

namespace sim::cli
{

/// "16": the first 16; "0-7,16": these; "0-63:8": every eighth; empty: all of `count`. In the order
/// written. Throws InputError at --ranks.
[[nodiscard]] std::vector<RankId> parse_ranks(const std::string& text, std::size_t count);

/// `groups` equal groups of neighbours, or of every `groups`-th member. Throws InputError at
/// --groups.
[[nodiscard]] std::vector<std::vector<GpuId>> split(const std::vector<GpuId>& members,
                                                    std::size_t groups, bool strided);

/// Bytes from each member to each other, row by row, from a CSV of `members` lines of as many
/// numbers; scaled so that the member that sends most sends `size`. Throws InputError at the line.
[[nodiscard]] std::vector<double> read_parts(const std::string& path, std::size_t members,
                                             double size);

}  // namespace sim::cli
