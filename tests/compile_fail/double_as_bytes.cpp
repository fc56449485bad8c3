#include "core/quantity.hpp"

constexpr sim::Bytes same(sim::Bytes size) { return size; }

#ifdef MISTAKE
[[maybe_unused]] constexpr auto kSize = same(1e9);
#else
[[maybe_unused]] constexpr auto kSize = same(sim::Bytes::of(1'000'000'000));
#endif
