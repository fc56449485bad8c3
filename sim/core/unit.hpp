#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"

namespace sim
{

/// What turns a number with a unit into base units: times / over. Both are exact doubles, so that
/// 45 ns is the double closest to 45 / 10^9.
struct Scale {
    double times = 1;
    double over = 1;
};

/// One spelling of a unit without its prefix.
struct Unit {
    std::string_view text;
    Scale scale;
};

enum class Prefixes { small, large, large_and_binary };

/// The units one quantity may be written in.
struct UnitFamily {
    std::string_view noun;      ///< "a bandwidth"
    std::string_view examples;  ///< what a hint offers
    Prefixes prefixes;
    std::vector<Unit> units;                ///< take a prefix
    std::vector<Unit> plain;                ///< take none
    std::string_view base;                  ///< the one with scale 1
    std::vector<std::string_view> printed;  ///< largest first
};

template <class Q>
[[nodiscard]] const UnitFamily& unit_family();
template <>
const UnitFamily& unit_family<Time>();
template <>
const UnitFamily& unit_family<Bytes>();
template <>
const UnitFamily& unit_family<Bandwidth>();
template <>
const UnitFamily& unit_family<Flops>();
template <>
const UnitFamily& unit_family<FlopRate>();
template <>
const UnitFamily& unit_family<Frequency>();
template <>
const UnitFamily& unit_family<Power>();
template <>
const UnitFamily& unit_family<Money>();

/// The scale of "GiB/s", or nothing when the family has no such unit.
[[nodiscard]] std::optional<Scale> find_scale(const UnitFamily& family, std::string_view unit);

/// The first spelling under each of its prefixes: "B", "kB", ..., "PiB".
[[nodiscard]] std::vector<std::string> prefixed_units(const UnitFamily& family);

/// Every spelling that `find_scale` knows, those without a prefix among them.
[[nodiscard]] std::vector<std::string> spellings(const UnitFamily& family);

/// "write one of s, ms, us, ns".
[[nodiscard]] std::string unit_hint(const UnitFamily& family);

/// The one unit of the family that `unit` spells in the wrong case; empty when none or several do.
[[nodiscard]] std::string same_but_for_case(const UnitFamily& family, std::string_view unit);

}  // namespace sim
