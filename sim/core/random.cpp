#include "core/random.hpp"

#include "core/contract.hpp"
#include "core/philox.hpp"

namespace sim
{

namespace
{

/// FNV-1a over the letters, so that a purpose is a number.
std::uint64_t name_hash(std::string_view name)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char letter : name) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
    }
    return hash;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view purpose,
                           std::initializer_list<std::uint64_t> entities)
    : key_{mix(seed, name_hash(purpose))}
{
    for (const auto entity : entities) {
        key_ = mix(key_, entity);
    }
}

std::uint64_t RandomStream::bits() { return philox2x64({counter_++, 0}, key_)[0]; }

double RandomStream::uniform()
{
    // The upper 53 bits fill a double's significand; the result never rounds up to 1.
    return static_cast<double>(bits() >> 11U) * 0x1p-53;
}

std::uint64_t RandomStream::below(std::uint64_t bound)
{
    SIM_EXPECT(bound > 0);
    // 2^64 mod bound words are refused, so every remainder is left with equally many.
    const std::uint64_t refused = (0 - bound) % bound;
    std::uint64_t word = bits();
    while (word < refused) {
        word = bits();
    }
    return word % bound;
}

}  // namespace sim
