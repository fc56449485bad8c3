#include "memory/access_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/random.hpp"

namespace sim::memory
{

namespace
{

using Order = PatternSpec::Order;

std::uint64_t bytes_or(Bytes size, std::uint64_t otherwise)
{
    return size > Bytes{} ? static_cast<std::uint64_t>(size.base()) : otherwise;
}

const std::map<std::string, PatternSpec>& plain_patterns()
{
    static const std::map<std::string, PatternSpec> patterns{
        {"read", {.order = Order::streams, .reads = 1, .writes = 0}},
        {"write", {.order = Order::streams, .reads = 0, .writes = 1}},
        {"copy", {.order = Order::streams, .reads = 1, .writes = 1}},
        {"scale", {.order = Order::streams, .reads = 1, .writes = 1}},
        {"triad", {.order = Order::streams, .reads = 2, .writes = 1}},
        {"chase", {.order = Order::random, .reads = 1, .writes = 0}},
    };
    return patterns;
}

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && value > 0 ? std::optional{value} : std::nullopt;
}

/// A word with one or two numbers: "random-64", "mix-2-1".
std::optional<PatternSpec> numbered_pattern(const std::string& name)
{
    const auto dash = name.find('-');
    if (dash == std::string::npos) {
        return std::nullopt;
    }
    const auto word = name.substr(0, dash);
    const auto rest = std::string_view{name}.substr(dash + 1);
    if (word == "mix") {
        const auto second = rest.find('-');
        const auto reads = number(rest.substr(0, second));
        const auto writes =
            second == std::string_view::npos ? std::nullopt : number(rest.substr(second + 1));
        if (!reads || !writes || *reads > 1000 || *writes > 1000) {
            return std::nullopt;
        }
        return PatternSpec{.order = Order::mixed,
                           .reads = static_cast<int>(*reads),
                           .writes = static_cast<int>(*writes)};
    }
    const auto value = number(rest);
    if (!value) {
        return std::nullopt;
    }
    if (word == "streams" && *value <= 1000) {
        return PatternSpec{.order = Order::streams, .reads = static_cast<int>(*value)};
    }
    if (word == "random") {
        return PatternSpec{.order = Order::random, .block = Bytes::of(*value)};
    }
    if (word == "strided") {
        return PatternSpec{.order = Order::strided, .stride = Bytes::of(*value)};
    }
    return std::nullopt;
}

}  // namespace

PatternSpec pattern_by_name(const std::string& name)
{
    if (const auto found = plain_patterns().find(name); found != plain_patterns().end()) {
        return found->second;
    }
    if (const auto pattern = numbered_pattern(name)) {
        return *pattern;
    }
    std::vector<std::string> known{"streams-4", "mix-2-1", "random-64", "strided-4096"};
    for (const auto& [word, pattern] : plain_patterns()) {
        known.push_back(word);
    }
    const auto near = closest(name, known);
    throw InputError{{Diagnostic{
        .key = "--pattern",
        .message = fmt::format("\"{}\" is no access pattern", name),
        .hint = near.empty() ? "write read, write, copy, scale, triad, chase, streams-4, mix-2-1, "
                               "random-64 or strided-4096"
                             : fmt::format("did you mean \"{}\"?", near)}}};
}

AccessPattern::AccessPattern(const PatternSpec& pattern, Bytes burst, std::uint64_t capacity)
    : pattern_{pattern},
      burst_{bytes_or(burst, 1)},
      interleave_{bytes_or(pattern.interleave, burst_)},
      block_{bytes_or(pattern.block, burst_)},
      stride_{bytes_or(pattern.stride, burst_)},
      key_{RandomStream{pattern.seed, "dram-addresses", {}}.bits()}
{
    SIM_EXPECT(pattern.reads + pattern.writes > 0);
    const auto arrays = pattern.order == Order::streams
                            ? static_cast<std::uint64_t>(pattern.reads + pattern.writes)
                            : std::uint64_t{1};
    const auto first = static_cast<std::uint64_t>(pattern.first.base());
    SIM_EXPECT(first < capacity);
    // Whole chunks, so that no array reaches into the next one.
    const auto share = (capacity - first) / arrays / interleave_ * interleave_;
    array_ =
        std::clamp(bytes_or(pattern.footprint, share), interleave_, std::max(share, interleave_));
    block_ = std::max(block_, burst_);
    for (auto stream = pattern_.bases.size(); stream < arrays; ++stream) {
        pattern_.bases.push_back(first + stream * array_);
    }
}

std::uint64_t AccessPattern::random_block()
{
    const auto blocks = array_ / block_;
    const auto share = static_cast<double>(mix(key_, drawn_++) >> 11U) * 0x1p-53;
    return static_cast<std::uint64_t>(share * static_cast<double>(blocks)) * block_;
}

Burst AccessPattern::next_of_streams()
{
    const Burst burst{pattern_.bases[stream_] + chunk_ + offset_,
                      stream_ >= static_cast<std::size_t>(pattern_.reads)};
    offset_ += burst_;
    if (offset_ >= interleave_) {
        offset_ = 0;
        if (++stream_ == pattern_.bases.size()) {
            stream_ = 0;
            chunk_ = chunk_ + 2 * interleave_ > array_ ? 0 : chunk_ + interleave_;
        }
    }
    return burst;
}

Burst AccessPattern::next()
{
    if (pattern_.order == Order::streams) {
        return next_of_streams();
    }
    const bool write = turn_ >= pattern_.reads;
    std::uint64_t address = offset_;
    bool block_ended = true;
    if (pattern_.order == Order::random) {
        if (offset_ == 0) {
            base_ = random_block();
        }
        address = base_ + offset_;
        offset_ += burst_;
        block_ended = offset_ >= block_;
        offset_ = block_ended ? 0 : offset_;
    } else {
        offset_ += pattern_.order == Order::strided ? stride_ : burst_;
        if (offset_ + burst_ > array_) {
            offset_ = 0;
        }
    }
    if (block_ended && ++turn_ == pattern_.reads + pattern_.writes) {
        turn_ = 0;
    }
    return {address + static_cast<std::uint64_t>(pattern_.first.base()), write};
}

}  // namespace sim::memory
