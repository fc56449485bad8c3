#pragma once

#include <string>
#include <vector>

#include "spec/memory.hpp"

namespace sim::spec
{

enum class AddressField { row, rank, bank, group, pseudo, column };

/// Some consecutive bits of an address.
struct AddressBits {
    AddressField field{};
    int bits = 0;
};

/// The fields of an address inside a channel, least significant first, above the bits inside a
/// burst. `row` takes whatever is left and has 0 bits. Empty, with a sentence in `complaint`, when
/// the order names a field twice, leaves one out, or splits the column wrongly.
struct AddressOrder {
    std::vector<AddressBits> fields{};
    std::string complaint{};
};

/// Reads `mapping.order`: "row-rank-bank-column-pseudo-group", most significant first. "column:2"
/// is two bits of the column; one more "column" takes the others.
[[nodiscard]] AddressOrder address_order(const DramSpec& dram);

}  // namespace sim::spec
