#include "core/unit.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace sim
{

namespace
{

constexpr std::array<Unit, 5> kSmall{
    {{"", {}}, {"m", {1, 1e3}}, {"u", {1, 1e6}}, {"n", {1, 1e9}}, {"p", {1, 1e12}}}};

constexpr std::array<Unit, 12> kLarge{{{"", {}},
                                       {"k", {1e3, 1}},
                                       {"M", {1e6, 1}},
                                       {"G", {1e9, 1}},
                                       {"T", {1e12, 1}},
                                       {"P", {1e15, 1}},
                                       {"E", {1e18, 1}},
                                       {"Ki", {0x1p10, 1}},
                                       {"Mi", {0x1p20, 1}},
                                       {"Gi", {0x1p30, 1}},
                                       {"Ti", {0x1p40, 1}},
                                       {"Pi", {0x1p50, 1}}}};
constexpr std::size_t kDecimal = 7;

std::span<const Unit> prefixes(const UnitFamily& family)
{
    switch (family.prefixes) {
        case Prefixes::small:
            return kSmall;
        case Prefixes::large:
            return std::span{kLarge}.first<kDecimal>();
        case Prefixes::large_and_binary:
            return kLarge;
    }
    return {};
}

Scale product(const Scale& a, const Scale& b) { return {a.times * b.times, a.over * b.over}; }

bool same_letters(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x) == std::tolower(y);
    });
}

}  // namespace

template <>
const UnitFamily& unit_family<Time>()
{
    static const UnitFamily family{.noun = "a time",
                                   .examples = "s, ms, us, ns",
                                   .prefixes = Prefixes::small,
                                   .units = {{"s", {}}},
                                   .plain = {{"min", {60, 1}}, {"h", {3600, 1}}},
                                   .base = "s",
                                   .printed = {"s", "ms", "us", "ns", "ps"}};
    return family;
}

template <>
const UnitFamily& unit_family<Bytes>()
{
    static const UnitFamily family{.noun = "a size",
                                   .examples = "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB",
                                   .prefixes = Prefixes::large_and_binary,
                                   .units = {{"B", {}}},
                                   .plain = {},
                                   .base = "B",
                                   .printed = {"TiB", "GiB", "MiB", "KiB", "B"}};
    return family;
}

template <>
const UnitFamily& unit_family<Bandwidth>()
{
    static const UnitFamily family{
        .noun = "a bandwidth",
        .examples = "Gbps, Tbps, MB/s, GB/s, TB/s, GiB/s (b is bits, B is bytes)",
        .prefixes = Prefixes::large_and_binary,
        .units = {{"B/s", {}}, {"Bps", {}}, {"bps", {1, 8}}, {"b/s", {1, 8}}},
        .plain = {},
        .base = "B/s",
        .printed = {"TB/s", "GB/s", "MB/s", "kB/s", "B/s"}};
    return family;
}

template <>
const UnitFamily& unit_family<Flops>()
{
    static const UnitFamily family{
        .noun = "an amount of work",
        .examples = "FLOP, GFLOP, TFLOP, PFLOP",
        .prefixes = Prefixes::large,
        .units = {{"FLOP", {}}},
        .plain = {},
        .base = "FLOP",
        .printed = {"PFLOP", "TFLOP", "GFLOP", "MFLOP", "kFLOP", "FLOP"}};
    return family;
}

template <>
const UnitFamily& unit_family<FlopRate>()
{
    static const UnitFamily family{
        .noun = "a compute rate",
        .examples = "GFLOP/s, TFLOP/s, PFLOP/s",
        .prefixes = Prefixes::large,
        .units = {{"FLOP/s", {}}, {"FLOPS", {}}},
        .plain = {},
        .base = "FLOP/s",
        .printed = {"PFLOP/s", "TFLOP/s", "GFLOP/s", "MFLOP/s", "kFLOP/s", "FLOP/s"}};
    return family;
}

template <>
const UnitFamily& unit_family<Frequency>()
{
    static const UnitFamily family{.noun = "a frequency",
                                   .examples = "Hz, kHz, MHz, GHz",
                                   .prefixes = Prefixes::large,
                                   .units = {{"Hz", {}}},
                                   .plain = {},
                                   .base = "Hz",
                                   .printed = {"GHz", "MHz", "kHz", "Hz"}};
    return family;
}

template <>
const UnitFamily& unit_family<Power>()
{
    static const UnitFamily family{.noun = "a power",
                                   .examples = "W, kW, MW",
                                   .prefixes = Prefixes::large,
                                   .units = {{"W", {}}},
                                   .plain = {},
                                   .base = "W",
                                   .printed = {"MW", "kW", "W"}};
    return family;
}

template <>
const UnitFamily& unit_family<Money>()
{
    static const UnitFamily family{.noun = "a price",
                                   .examples = "USD, kUSD, MUSD",
                                   .prefixes = Prefixes::large,
                                   .units = {{"USD", {}}},
                                   .plain = {},
                                   .base = "USD",
                                   .printed = {"MUSD", "kUSD", "USD"}};
    return family;
}

std::optional<Scale> find_scale(const UnitFamily& family, std::string_view unit)
{
    for (const auto& plain : family.plain) {
        if (unit == plain.text) {
            return plain.scale;
        }
    }
    for (const auto& stem : family.units) {
        if (!unit.ends_with(stem.text)) {
            continue;
        }
        const auto front = unit.substr(0, unit.size() - stem.text.size());
        for (const auto& prefix : prefixes(family)) {
            if (front == prefix.text) {
                return product(prefix.scale, stem.scale);
            }
        }
    }
    return std::nullopt;
}

std::vector<std::string> prefixed_units(const UnitFamily& family)
{
    std::vector<std::string> units;
    for (const auto& prefix : prefixes(family)) {
        units.push_back(std::string{prefix.text} + std::string{family.units.front().text});
    }
    return units;
}

std::vector<std::string> spellings(const UnitFamily& family)
{
    std::vector<std::string> all;
    for (const auto& plain : family.plain) {
        all.emplace_back(plain.text);
    }
    for (const auto& stem : family.units) {
        for (const auto& prefix : prefixes(family)) {
            all.push_back(std::string{prefix.text} + std::string{stem.text});
        }
    }
    return all;
}

std::string unit_hint(const UnitFamily& family)
{
    return "write one of " + std::string{family.examples};
}

std::string same_but_for_case(const UnitFamily& family, std::string_view unit)
{
    std::string found;
    for (const auto& stem : family.units) {
        for (const auto& prefix : prefixes(family)) {
            const auto spelling = std::string{prefix.text} + std::string{stem.text};
            if (!same_letters(spelling, unit)) {
                continue;
            }
            if (!found.empty()) {
                return {};
            }
            found = spelling;
        }
    }
    return found;
}

}  // namespace sim
