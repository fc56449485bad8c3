#pragma once

#include <string>

#include "cli/options.hpp"
#include "results/result_set.hpp"

namespace sim::cli
{

/// Writes the file when `output` is not empty, then the answer in the wanted format on stdout.
void answer(const results::ResultSet& set, const CommonOptions& options, const std::string& output);

/// Writes the file when `output` is not empty.
void write_file(const results::ResultSet& set, const std::string& output);

/// What a result says of where it comes from.
[[nodiscard]] results::Provenance provenance(const CommonOptions& options, std::uint64_t seed,
                                             const std::string& input_text);

}  // namespace sim::cli
