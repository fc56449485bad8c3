#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/byte_source.hpp"
#include "formats/trace.hpp"

namespace sim::formats
{

/// Reads the files of a Chakra job one after another; chakra.md has the rules.
class ChakraReader
{
public:
    /// What a collective without a size is taken to carry; absent: it is refused.
    explicit ChakraReader(std::optional<std::int64_t> assumed_size) : assumed_size_{assumed_size} {}

    /// PREFIX.N.et of rank N, or a .json of groups. Throws InputError.
    void add(const std::string& name, ByteSource& bytes);
    /// After the last file. Throws InputError with everything that is missing.
    [[nodiscard]] Trace take();

private:
    void add_rank(const std::string& name, std::uint32_t rank, const std::string& content);
    void add_groups(const std::string& name, const std::string& content);
    void check_ranks();
    void settle_groups();
    void settle_sizes();

    std::optional<std::int64_t> assumed_size_;
    Trace trace_;
    std::map<std::uint32_t, std::string> file_of_rank_;
    std::vector<TraceRank> ranks_;                 ///< by number
    std::set<std::uint32_t> own_;                  ///< ranks whose files we wrote
    std::map<std::string, std::uint32_t> labels_;  ///< names already in the table
    std::map<std::string, std::uint32_t> groups_;
    std::map<std::string, std::vector<std::uint32_t>> members_;  ///< by group; empty: all ranks
    Diagnostics wrong_;
};

}  // namespace sim::formats
