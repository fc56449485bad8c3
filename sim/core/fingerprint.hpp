#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "core/random.hpp"

namespace sim
{

/// A 64-bit hash of words in the order they were added: two runs that did the same things in the
/// same order have the same value. Not for secrets.
class Fingerprint
{
public:
    template <std::integral Word>
    void add(Word word)
    {
        value_ = mix(value_, static_cast<std::uint64_t>(word));
    }
    /// Both zeros count as one.
    void add(double number) { add(std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number)); }

    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0;
};

}  // namespace sim
