#include "core/id.hpp"

#ifdef MISTAKE
[[maybe_unused]] constexpr auto kNext = sim::RankId{3} + 1;
#else
[[maybe_unused]] constexpr auto kNext = sim::RankId{sim::RankId{3}.index() + 1};
#endif
