#include "core/literals.hpp"

using namespace sim::literals;

#ifdef MISTAKE
[[maybe_unused]] constexpr auto kSum = 1_GB + 1_s;
#else
[[maybe_unused]] constexpr auto kSum = 1_GB + 1_KiB;
#endif
