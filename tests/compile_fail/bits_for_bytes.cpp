#include "core/literals.hpp"

using namespace sim::literals;

// A rate is no size, however the bits are spelled.
#ifdef MISTAKE
[[maybe_unused]] constexpr sim::Bytes kSize = 400_Gbps;
#else
[[maybe_unused]] constexpr sim::Bandwidth kRate = 400_Gbps;
#endif
