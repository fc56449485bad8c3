#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "formats/byte_source.hpp"

namespace sim::formats
{

/// Visits every file of a recorded job. `path` is a file (then its siblings PREFIX.N.et belong to
/// it), an archive, a folder, or the common PREFIX of files PREFIX.N.et and PREFIX.json; in the
/// order of names with numbers by value. Throws Error when there is none.
void for_each_trace_file(
    const std::string& path,
    const std::function<void(const std::string& name, ByteSource& bytes)>& visit);

/// N of a name that ends in .N.et (or .N.et.gz, .N.eg).
[[nodiscard]] std::optional<std::uint32_t> rank_in_name(const std::string& name);

/// All bytes of a file of a job. Larger ones than `most` are refused.
[[nodiscard]] std::string read_all(ByteSource& bytes, const std::string& name, std::size_t most);

}  // namespace sim::formats
