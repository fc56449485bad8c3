#include "core/literals.hpp"

using namespace sim::literals;

#ifdef MISTAKE
[[maybe_unused]] constexpr double kSeconds = 1_ms;
#else
[[maybe_unused]] constexpr double kSeconds = 1_ms / 1_s;
#endif
