#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace sim
{

/// A number drawn by name, never by order: the same (seed, purpose, entities) gives the same bits
/// on every machine. Philox-like counter streams with our own conversions, since the standard
/// distributions differ between libraries.
class RandomStream
{
public:
    RandomStream(std::uint64_t seed, std::string_view purpose,
                 std::initializer_list<std::uint64_t> entities);

    [[nodiscard]] std::uint64_t bits();                      ///< the next 64 bits
    [[nodiscard]] double uniform();                          ///< in [0, 1)
    [[nodiscard]] std::uint64_t below(std::uint64_t bound);  ///< in [0, bound), unbiased

private:
    std::uint64_t key_;
    std::uint64_t counter_ = 0;
};

/// Mixes two words into one; used for hashes that reach results (fingerprints, ECMP).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t x = a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2));
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

}  // namespace sim
