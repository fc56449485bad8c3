#include "core/philox.hpp"

namespace sim
{

namespace
{

__extension__ using Word128 = unsigned __int128;

constexpr std::uint64_t kMultiplier = 0xD2B74407B1CE6E93ULL;
constexpr std::uint64_t kWeyl = 0x9E3779B97F4A7C15ULL;
constexpr int kRounds = 10;

}  // namespace

std::array<std::uint64_t, 2> philox2x64(std::array<std::uint64_t, 2> counter, std::uint64_t key)
{
    for (int round = 0; round < kRounds; ++round) {
        const auto product = static_cast<Word128>(kMultiplier) * counter[0];
        const auto high = static_cast<std::uint64_t>(product >> 64U);
        const auto low = static_cast<std::uint64_t>(product);
        counter = {high ^ key ^ counter[1], low};
        key += kWeyl;
    }
    return counter;
}

}  // namespace sim
