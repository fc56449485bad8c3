#include "core/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "core/contract.hpp"
#include "core/philox.hpp"

namespace sim
{
namespace
{

using Block = std::array<std::uint64_t, 2>;

// Known answers of philox2x64 with 10 rounds: file kat_vectors of Random123 (D. E. Shaw Research),
// the library published with Salmon et al., SC'11.
TEST(Philox, GivesThePublishedKnownAnswers)
{
    EXPECT_EQ(philox2x64({0, 0}, 0), (Block{0xca00a0459843d731, 0x66c24222c9a845b5}));
    constexpr auto kOnes = ~std::uint64_t{0};
    EXPECT_EQ(philox2x64({kOnes, kOnes}, kOnes), (Block{0x65b021d60cd8310f, 0x4d02f3222f86df20}));
    EXPECT_EQ(philox2x64({0x243f6a8885a308d3, 0x13198a2e03707344}, 0xa4093822299f31d0),
              (Block{0x0a5e742c2997341c, 0xb0f883d38000de5d}));
}

/// The upper half of a product by schoolbook multiplication of 32-bit digits.
std::uint64_t upper_half(std::uint64_t a, std::uint64_t b)
{
    constexpr std::uint64_t kLow = 0xffffffff;
    const auto low = (a & kLow) * (b & kLow);
    const auto middle = (a >> 32U) * (b & kLow) + (low >> 32U);
    const auto other = (a & kLow) * (b >> 32U) + (middle & kLow);
    return (a >> 32U) * (b >> 32U) + (middle >> 32U) + (other >> 32U);
}

/// The paper's recipe once more, without 128-bit words: a round maps (L, R) under key k to
/// (high(M L) xor k xor R, low(M L)), and the key then grows by the golden ratio.
Block ten_rounds(Block block, std::uint64_t key)
{
    for (std::uint64_t round = 0; round < 10; ++round) {
        const auto k = key + round * 0x9E3779B97F4A7C15ULL;
        const auto left = block[0];
        block[0] = upper_half(0xD2B74407B1CE6E93ULL, left) ^ k ^ block[1];
        block[1] = 0xD2B74407B1CE6E93ULL * left;
    }
    return block;
}

TEST(Philox, AgreesWithTheRecipeWrittenOutAgain)
{
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Block counter{mix(i, 1), mix(i, 2)};
        ASSERT_EQ(philox2x64(counter, mix(i, 3)), ten_rounds(counter, mix(i, 3)));
    }
}

std::vector<std::uint64_t> first(RandomStream stream, int count)
{
    std::vector<std::uint64_t> words;
    for (int i = 0; i < count; ++i) {
        words.push_back(stream.bits());
    }
    return words;
}

TEST(RandomStream, IsPhiloxOfAKeyMadeOfSeedPurposeAndEntities)
{
    // FNV-1a of "a": (offset basis xor 0x61) * prime, by its definition.
    const std::uint64_t name = (0xcbf29ce484222325ULL ^ 0x61U) * 0x100000001b3ULL;
    const auto key = mix(mix(mix(42, name), 7), 8);
    EXPECT_EQ(first(RandomStream{42, "a", {7, 8}}, 2),
              (std::vector{ten_rounds({0, 0}, key)[0], ten_rounds({1, 0}, key)[0]}));
}

TEST(RandomStream, IsNamedNotOrdered)
{
    RandomStream drawn_first{1, "ecmp", {3}};
    (void)first(RandomStream{1, "other", {}}, 100);
    RandomStream drawn_later{1, "ecmp", {3}};
    EXPECT_EQ(drawn_first.bits(), drawn_later.bits());
}

TEST(RandomStream, ChangesWithEveryPartOfItsName)
{
    std::set<std::uint64_t> words;
    for (const auto seed : {0U, 1U}) {
        for (const auto* purpose : {"ecmp", "ecm", ""}) {
            words.insert(first(RandomStream{seed, purpose, {}}, 1)[0]);
            words.insert(first(RandomStream{seed, purpose, {0}}, 1)[0]);
            words.insert(first(RandomStream{seed, purpose, {1, 2}}, 1)[0]);
            words.insert(first(RandomStream{seed, purpose, {2, 1}}, 1)[0]);
        }
    }
    EXPECT_EQ(words.size(), 2U * 3U * 4U);
}

TEST(RandomStream, UniformFillsTheUnitIntervalAndNeverReachesOne)
{
    RandomStream stream{5, "uniform", {}};
    constexpr int kDraws = 100'000;
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) {
        const double u = stream.uniform();
        ASSERT_GE(u, 0);
        ASSERT_LT(u, 1);
        sum += u;
    }
    // The mean of n uniforms has standard deviation sqrt(1 / (12 n)); five of them bound it.
    EXPECT_NEAR(sum / kDraws, 0.5, 5 * std::sqrt(1.0 / (12.0 * kDraws)));
}

TEST(RandomStream, UniformIsTheUpper53Bits)
{
    RandomStream bits{9, "x", {}};
    RandomStream uniform{9, "x", {}};
    EXPECT_EQ(uniform.uniform(), std::ldexp(static_cast<double>(bits.bits() / 2048), -53));
}

TEST(RandomStream, BelowHitsEveryRemainderEquallyOften)
{
    RandomStream stream{6, "below", {}};
    constexpr int kBound = 7;
    constexpr int kDraws = 70'000;
    std::array<int, kBound> hits{};
    for (int i = 0; i < kDraws; ++i) {
        ++hits.at(stream.below(kBound));
    }
    double chi_square = 0;
    for (const int count : hits) {
        const double expected = static_cast<double>(kDraws) / kBound;
        chi_square += (count - expected) * (count - expected) / expected;
    }
    // Chi-square with 6 degrees of freedom exceeds 22.46 once in a thousand (any table of it).
    EXPECT_LT(chi_square, 22.46);
}

TEST(RandomStream, BelowRefusesTheWordsThatWouldFavourSmallRemainders)
{
    // With bound 2^63 + 1, 2^64 mod bound = 2^63 - 1: words below that are drawn again, all others
    // fold onto [0, bound). Follow the words by hand.
    constexpr std::uint64_t kBound = (std::uint64_t{1} << 63U) + 1;
    constexpr std::uint64_t kRefused = (std::uint64_t{1} << 63U) - 1;
    RandomStream bits{7, "big", {}};
    RandomStream below{7, "big", {}};
    for (int i = 0; i < 50; ++i) {
        auto word = bits.bits();
        while (word < kRefused) {
            word = bits.bits();
        }
        ASSERT_EQ(below.below(kBound), word < kBound ? word : word - kBound);
    }
}

TEST(RandomStream, BelowOneIsZeroAndBelowZeroIsABug)
{
    RandomStream stream{8, "edge", {}};
    EXPECT_EQ(stream.below(1), 0U);
    EXPECT_THROW((void)stream.below(0), ContractViolation);
}

}  // namespace
}  // namespace sim
