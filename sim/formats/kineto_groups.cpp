#include "formats/kineto_groups.hpp"

#include <algorithm>
#include <charconv>

namespace sim::formats
{

namespace
{

/// The numbers of "[0, 1, ...]"; none when the list is cut short.
std::vector<std::uint32_t> numbers_in(const std::string& text)
{
    std::vector<std::uint32_t> numbers;
    if (text.find("...") != std::string::npos) {
        return numbers;
    }
    const auto* end = text.data() + text.size();
    for (const auto* at = text.data(); at != end;) {
        std::uint32_t number = 0;
        const auto [rest, failure] = std::from_chars(at, end, number);
        if (failure == std::errc{}) {
            numbers.push_back(number);
            at = rest;
        } else {
            ++at;
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

}  // namespace

std::vector<std::uint32_t> told_ranks(const KinetoMessage& message, const KinetoHeader& header)
{
    auto ranks = numbers_in(message.ranks);
    constexpr std::int64_t kMost = 1 << 24;
    const bool counted = message.group_size > 0 && message.group_size < kMost;
    if (ranks.empty() && message.first_rank >= 0 && message.rank_stride > 0 && counted) {
        for (std::int64_t i = 0; i < message.group_size; ++i) {
            ranks.push_back(
                static_cast<std::uint32_t>(message.first_rank + i * message.rank_stride));
        }
    }
    for (const auto& [name, members] : header.groups) {
        if (ranks.empty() && name == message.group && !message.group.empty()) {
            ranks = members;
            std::sort(ranks.begin(), ranks.end());
        }
    }
    return ranks;
}

std::optional<TraceLattice> lattice_of(const std::vector<std::uint32_t>& ranks, std::uint32_t total)
{
    if (ranks.empty()) {
        return std::nullopt;
    }
    TraceLattice lattice{1, static_cast<std::uint32_t>(ranks.size())};
    if (ranks.size() > 1) {
        lattice.stride = ranks[1] - ranks[0];
    }
    for (std::size_t i = 1; i < ranks.size(); ++i) {
        if (ranks[i] <= ranks[i - 1] || ranks[i] - ranks[i - 1] != lattice.stride) {
            return std::nullopt;
        }
    }
    const auto block = std::uint64_t{lattice.stride} * lattice.count;
    const bool fits = total % block == 0 && ranks.front() % block < lattice.stride;
    return fits ? std::optional{lattice} : std::nullopt;
}

}  // namespace sim::formats
