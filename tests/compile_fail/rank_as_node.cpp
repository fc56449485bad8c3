#include "core/id.hpp"

constexpr std::uint32_t place(sim::NodeId node) { return node.index(); }

#ifdef MISTAKE
[[maybe_unused]] constexpr auto kPlace = place(sim::RankId{3});
#else
[[maybe_unused]] constexpr auto kPlace = place(sim::NodeId{3});
#endif
