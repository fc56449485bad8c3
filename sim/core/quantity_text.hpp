#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/quantity.hpp"

namespace sim
{

/// What a text says, or what is wrong with it and what to write instead.
template <class Q>
struct Parsed {
    std::optional<Q> value;
    std::string message;  ///< `"500" has no unit`; empty when there is a value
    std::string hint;     ///< `write one of s, ms, us, ns`; empty when there is a value

    [[nodiscard]] explicit operator bool() const { return value.has_value(); }
};

/// `number space? unit`, for every alias of core/quantity.hpp.
///
/// Decimal prefixes k M G T P E, binary Ki Mi Gi Ti Pi; `b` is a bit and `B` a byte; per second is
/// `ps` or `/s`. A lone `0` needs no unit. Negative, unit-less, infinite and overflowing numbers
/// are refused. Sizes are rounded to the nearest byte.
template <class Q>
[[nodiscard]] Parsed<Q> parse(std::string_view text);

/// The one word that is not a number. Only where a quantity may be absent; `parse` refuses it.
[[nodiscard]] bool is_unlimited(std::string_view text);

/// For people: at most four significant digits and the unit that keeps the number short
/// ("3.35 TB/s", "80 GiB", "1.2 us"). Parses back to the printed digits.
template <class Q>
[[nodiscard]] std::string to_text(Q quantity);
/// The same in bits: "400 Gbps".
[[nodiscard]] std::string to_bit_text(Bandwidth rate);

/// For files that are read again: `parse<Q>(to_exact_text(q))` is `q` to the last bit.
template <class Q>
[[nodiscard]] std::string to_exact_text(Q quantity);

}  // namespace sim
