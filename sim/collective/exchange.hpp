#pragma once

#include <cstdint>
#include <vector>

#include "collective/schedule.hpp"
#include "collective/steps.hpp"

namespace sim::collective
{

/// What an algorithm of whole steps does with a buffer of n equal chunks, ascending in step; within
/// a step all transfers run together. In reduce_scatter member i ends with chunk i, in all_gather
/// it begins with it. Kinds: all_reduce, all_gather, reduce_scatter. Algorithms:
/// - direct: one step to everyone,
/// - halving_doubling: partners at distances that are powers of two; n must be one,
/// - bruck: the same for any n, near partners first when gathering,
/// - pat: far partners first when gathering, so that the long way carries little.
[[nodiscard]] std::vector<Step> exchange_steps(Kind kind, Algorithm algorithm,
                                               std::uint32_t members);

/// True for the algorithms above.
[[nodiscard]] bool is_exchange(Algorithm algorithm);

}  // namespace sim::collective
