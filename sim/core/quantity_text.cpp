#include "core/quantity_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "core/unit.hpp"

namespace sim
{

namespace
{

template <class Q>
Parsed<Q> refused(std::string message, std::string hint)
{
    return {.value = std::nullopt, .message = std::move(message), .hint = std::move(hint)};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    const auto last = text.find_last_not_of(" \t");
    return first == text.npos ? std::string_view{} : text.substr(first, last - first + 1);
}

/// `text` cut after its number.
struct Pieces {
    std::string_view number;
    std::string_view unit;
    double value = 0;
    bool out_of_range = false;
};

/// Nothing when no number stands first. "inf" and "nan" are words here, never numbers.
std::optional<Pieces> cut(std::string_view text)
{
    const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
    const bool numeric = !digits.empty() && (is_digit(digits[0]) || digits[0] == '.');
    Pieces pieces;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), pieces.value);
    if (!numeric || result.ec == std::errc::invalid_argument) {
        return std::nullopt;
    }
    pieces.out_of_range = result.ec == std::errc::result_out_of_range;
    pieces.number = text.substr(0, static_cast<std::size_t>(result.ptr - text.data()));
    pieces.unit = trimmed(text.substr(pieces.number.size()));
    return pieces;
}

double scaled(double value, const Scale& scale) { return value * scale.times / scale.over; }

/// Sizes: whole numbers stay exact beyond the 53 bits of a double.
std::optional<std::int64_t> whole_bytes(const Pieces& pieces, const Scale& scale)
{
    std::int64_t count = 0;
    const auto* end = pieces.number.data() + pieces.number.size();
    const auto result = std::from_chars(pieces.number.data(), end, count);
    std::int64_t bytes = 0;
    if (result.ec == std::errc{} && result.ptr == end) {
        const bool overflow =
            __builtin_mul_overflow(count, static_cast<std::int64_t>(scale.times), &bytes);
        return overflow ? std::nullopt : std::optional{bytes};
    }
    const double rounded = std::round(scaled(pieces.value, scale));
    // The largest double below 2^63 is 1024 less than it.
    return rounded < 0x1p63 ? std::optional{static_cast<std::int64_t>(rounded)} : std::nullopt;
}

template <class Q>
Parsed<Q> scaled_quantity(const Pieces& pieces, const Scale& scale, std::string_view text)
{
    const double value = scaled(pieces.value, scale);
    if (!std::isfinite(value)) {
        return refused<Q>(fmt::format("\"{}\" is out of range", text), "write a smaller number");
    }
    return {.value = Q::of(value), .message = {}, .hint = {}};
}

template <>
Parsed<Bytes> scaled_quantity(const Pieces& pieces, const Scale& scale, std::string_view text)
{
    const auto bytes = whole_bytes(pieces, scale);
    if (!bytes) {
        return refused<Bytes>(fmt::format("\"{}\" is out of range", text),
                              "a size is below 2^63 bytes (9.2 EB)");
    }
    const double wanted = scaled(pieces.value, scale);
    const bool fraction_lost = scale.times == 1 && wanted != std::floor(wanted);
    if (fraction_lost || (*bytes == 0 && wanted > 0)) {
        return refused<Bytes>(fmt::format("\"{}\" is not a whole number of bytes", text),
                              "write a whole number of bytes");
    }
    return {.value = Bytes::of(*bytes), .message = {}, .hint = {}};
}

/// The unit's problem, when the number was fine.
template <class Q>
Parsed<Q> unit_refused(const UnitFamily& family, const Pieces& pieces, std::string_view text)
{
    if (pieces.unit.empty()) {
        return refused<Q>(fmt::format("\"{}\" has no unit", text), unit_hint(family));
    }
    auto message =
        fmt::format("\"{}\" is not {}: unknown unit \"{}\"", text, family.noun, pieces.unit);
    const auto meant = same_but_for_case(family, pieces.unit);
    if (meant.empty()) {
        return refused<Q>(std::move(message), unit_hint(family));
    }
    const bool binary = family.prefixes == Prefixes::large_and_binary;
    return refused<Q>(std::move(message), fmt::format("did you mean \"{}\"?{}", meant,
                                                      binary ? " (k is 1000, Ki is 1024)" : ""));
}

}  // namespace

template <class Q>
Parsed<Q> parse(std::string_view raw)
{
    const auto text = trimmed(raw);
    const auto& family = unit_family<Q>();
    if (text == "0") {
        return {.value = Q{}, .message = {}, .hint = {}};
    }
    if (is_unlimited(text)) {
        return refused<Q>("\"unlimited\" is not possible here",
                          fmt::format("write a number and one of {}", family.examples));
    }
    const auto pieces = cut(text);
    if (!pieces) {
        return refused<Q>(
            fmt::format("\"{}\" is not {}: it does not start with a number", text, family.noun),
            fmt::format("write a number and one of {}", family.examples));
    }
    if (pieces->number.starts_with('-')) {
        return refused<Q>(fmt::format("\"{}\" is negative", text),
                          "write a number that is not below 0");
    }
    const auto scale = find_scale(family, pieces->unit);
    if (!scale) {
        return unit_refused<Q>(family, *pieces, text);
    }
    if (pieces->out_of_range) {
        return refused<Q>(fmt::format("\"{}\" is out of range", text),
                          "write a number a double can hold");
    }
    return scaled_quantity<Q>(*pieces, *scale, text);
}

bool is_unlimited(std::string_view text) { return trimmed(text) == "unlimited"; }

namespace
{

/// Four significant digits, never an exponent for what a person would write out.
std::string short_number(double value)
{
    const double size = std::abs(value);
    return size >= 9999.5 && size < 1e15 ? fmt::format("{:.0f}", value)
                                         : fmt::format("{:.4g}", value);
}

double count_of(double base, const Scale& scale) { return base / scale.times * scale.over; }

/// As short_number shows it.
bool shows_one_or_more(double value) { return std::abs(value) >= 0.99995; }

/// The largest unit in which the number is shown as 1 or more, else the smallest. Nothing is 0 of
/// the base.
std::string_view short_unit(double base, const UnitFamily& family,
                            const std::vector<std::string_view>& units)
{
    if (base == 0) {
        return family.base;
    }
    for (const auto unit : units) {
        if (shows_one_or_more(count_of(base, *find_scale(family, unit)))) {
            return unit;
        }
    }
    return units.back();
}

template <class Q>
std::string printed(Q quantity, const std::vector<std::string_view>& units)
{
    const auto& family = unit_family<Q>();
    const auto base = static_cast<double>(quantity.base());
    const auto unit = short_unit(base, family, units);
    return fmt::format("{} {}", short_number(count_of(base, *find_scale(family, unit))), unit);
}

}  // namespace

template <class Q>
std::string to_text(Q quantity)
{
    return printed(quantity, unit_family<Q>().printed);
}

std::string to_bit_text(Bandwidth rate)
{
    return printed(rate, {"Tbps", "Gbps", "Mbps", "kbps", "bps"});
}

template <class Q>
std::string to_exact_text(Q quantity)
{
    const auto& family = unit_family<Q>();
    const auto base = static_cast<double>(quantity.base());
    auto shortest = fmt::format("{} {}", quantity.base(), family.base);
    for (const auto& unit : prefixed_units(family)) {
        const double count = count_of(base, *find_scale(family, unit));
        auto text = fmt::format("{} {}", count, unit);
        // Among equals the later, larger unit: 17.65 GB, not 17650 MB.
        if (count >= 1 && text.size() <= shortest.size() && parse<Q>(text).value == quantity) {
            shortest = std::move(text);
        }
    }
    return shortest;
}

template Parsed<Time> parse(std::string_view);
template std::string to_text(Time);
template std::string to_exact_text(Time);
template Parsed<Bytes> parse(std::string_view);
template std::string to_text(Bytes);
template std::string to_exact_text(Bytes);
template Parsed<Bandwidth> parse(std::string_view);
template std::string to_text(Bandwidth);
template std::string to_exact_text(Bandwidth);
template Parsed<Flops> parse(std::string_view);
template std::string to_text(Flops);
template std::string to_exact_text(Flops);
template Parsed<FlopRate> parse(std::string_view);
template std::string to_text(FlopRate);
template std::string to_exact_text(FlopRate);
template Parsed<Frequency> parse(std::string_view);
template std::string to_text(Frequency);
template std::string to_exact_text(Frequency);
template Parsed<Power> parse(std::string_view);
template std::string to_text(Power);
template std::string to_exact_text(Power);
template Parsed<Money> parse(std::string_view);
template std::string to_text(Money);
template std::string to_exact_text(Money);

}  // namespace sim
