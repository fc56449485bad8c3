#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "formats/chakra_schema.hpp"

namespace sim::formats
{

/// Ranks of each process group; none for all ranks.
using ChakraGroups = std::map<std::string, std::vector<std::uint32_t>>;

/// {"1": [0, 1], ...}. A .json of another shape (a system description beside the traces) has none.
/// Throws InputError when it is not JSON or a rank is not one.
[[nodiscard]] ChakraGroups read_group_file(const std::string& name, const std::string& content);

/// The node in which PyTorch lists its process groups; none of any other.
[[nodiscard]] ChakraGroups read_group_node(const ChakraNode& node);

}  // namespace sim::formats
