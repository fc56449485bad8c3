#include "collective/exchange.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace sim::collective
{
namespace
{

/// Way of a chunk from its owner: at distance `from` of the owner it is sent on to distance `to`.
struct Copy {
    std::uint32_t step;
    std::uint32_t from;
    std::uint32_t to;
};

std::vector<std::uint32_t> powers_below(std::uint32_t members)
{
    std::vector<std::uint32_t> powers;
    for (std::uint32_t power = 1; power < members; power *= 2) {
        powers.push_back(power);
    }
    return powers;
}

/// How one chunk spreads to all members; the same for each, seen from its owner.
std::vector<Copy> spreading(Algorithm algorithm, std::uint32_t members)
{
    std::vector<Copy> copies;
    if (algorithm == Algorithm::direct) {
        for (std::uint32_t to = 1; to < members; ++to) {
            copies.push_back({0, 0, to});
        }
        return copies;
    }
    auto distances = powers_below(members);
    const bool far_first = algorithm == Algorithm::pat;
    if (far_first) {
        std::reverse(distances.begin(), distances.end());
    }
    for (std::uint32_t step = 0; step < distances.size(); ++step) {
        const auto distance = distances[step];
        const auto stride = far_first ? 2 * distance : 1;
        const auto end = far_first ? members : distance;
        for (std::uint32_t from = 0; from < end && from + distance < members; from += stride) {
            copies.push_back({step, from, from + distance});
        }
    }
    return copies;
}

std::uint32_t member_at(Algorithm algorithm, std::uint32_t owner, std::uint32_t distance,
                        std::uint32_t members)
{
    return algorithm == Algorithm::halving_doubling ? owner ^ distance
                                                    : (owner + distance) % members;
}

/// The spreading run forwards gathers; run backwards it reduces into the owner.
void append(std::vector<Step>& steps, Algorithm algorithm, std::uint32_t members, bool reduce)
{
    auto copies = spreading(algorithm, members);
    const std::uint32_t first = steps.empty() ? 0 : steps.back().step + 1;
    const std::uint32_t last = copies.back().step;
    if (reduce) {
        std::reverse(copies.begin(), copies.end());
    }
    for (const auto& copy : copies) {
        for (std::uint32_t chunk = 0; chunk < members; ++chunk) {
            const auto from = member_at(algorithm, chunk, copy.from, members);
            const auto to = member_at(algorithm, chunk, copy.to, members);
            const auto step = first + (reduce ? last - copy.step : copy.step);
            steps.push_back({step, reduce ? to : from, reduce ? from : to, chunk, reduce});
        }
    }
}

}  // namespace

bool is_exchange(Algorithm algorithm)
{
    return algorithm == Algorithm::direct || algorithm == Algorithm::halving_doubling ||
           algorithm == Algorithm::bruck || algorithm == Algorithm::pat;
}

std::vector<Step> exchange_steps(Kind kind, Algorithm algorithm, std::uint32_t members)
{
    SIM_EXPECT(is_exchange(algorithm));
    SIM_EXPECT(algorithm != Algorithm::halving_doubling || (members & (members - 1)) == 0);
    std::vector<Step> steps;
    if (members < 2) {
        return steps;
    }
    if (kind != Kind::all_gather) {
        append(steps, algorithm, members, true);
    }
    if (kind != Kind::reduce_scatter) {
        append(steps, algorithm, members, false);
    }
    return steps;
}

}  // namespace sim::collective
