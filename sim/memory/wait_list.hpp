#pragma once

#include <array>
#include <cstdint>

#include "memory/bank_timer.hpp"

namespace sim::memory
{

/// The banks whose first request waits for a row, oldest request first. Whoever looks for the
/// oldest bank that may open its row mostly finds it among the first few.
class WaitList
{
public:
    static constexpr std::uint8_t kEnd = kMostBanks;

    [[nodiscard]] int first() const { return next_[kEnd]; }
    [[nodiscard]] int after(int bank) const { return next_[bank]; }
    [[nodiscard]] std::uint32_t age(int bank) const { return age_[bank]; }

    /// Requests mostly come to the end: the youngest.
    void insert(int bank, std::uint32_t age)
    {
        int before = previous_[kEnd];
        while (before != kEnd && static_cast<std::int32_t>(age_[before] - age) > 0) {
            before = previous_[before];
        }
        age_[bank] = age;
        link(before, bank, next_[before]);
    }
    void erase(int bank)
    {
        next_[previous_[bank]] = next_[bank];
        previous_[next_[bank]] = previous_[bank];
    }

private:
    void link(int before, int bank, int behind)
    {
        next_[before] = previous_[behind] = static_cast<std::uint8_t>(bank);
        previous_[bank] = static_cast<std::uint8_t>(before);
        next_[bank] = static_cast<std::uint8_t>(behind);
    }
    static constexpr std::array<std::uint8_t, kMostBanks + 1> empty_ring()
    {
        std::array<std::uint8_t, kMostBanks + 1> ring{};
        ring[kEnd] = kEnd;
        return ring;
    }

    // A ring through one place more than there are banks.
    std::array<std::uint8_t, kMostBanks + 1> next_ = empty_ring();
    std::array<std::uint8_t, kMostBanks + 1> previous_ = empty_ring();
    std::array<std::uint32_t, kMostBanks> age_{};
};

}  // namespace sim::memory
