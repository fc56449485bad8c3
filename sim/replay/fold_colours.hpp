#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sim::replay
{

/// A class under refinement, named by a hash; equal colours are one class.
using Colour = std::uint64_t;

/// The classes of a colouring by number, in the order of their first members.
struct Classes {
    std::vector<std::uint32_t> of;     ///< by member
    std::vector<std::uint32_t> first;  ///< by class: its first member
    std::vector<std::uint32_t> size;   ///< by class
};

[[nodiscard]] Classes classes(std::span<const Colour> colours);
[[nodiscard]] std::size_t count_classes(std::span<const Colour> colours);

}  // namespace sim::replay
