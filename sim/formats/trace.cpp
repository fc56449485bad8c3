#include "formats/trace.hpp"

namespace sim::formats
{

std::vector<std::uint32_t> members(const TraceLattice& lattice, std::uint32_t rank)
{
    const auto block = lattice.stride * lattice.count;
    const auto first = rank / block * block + rank % lattice.stride;
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t i = 0; i < lattice.count; ++i) {
        ranks.push_back(first + i * lattice.stride);
    }
    return ranks;
}

std::uint32_t rank_count(const Trace& trace)
{
    return trace.copies > 1 ? trace.copies : static_cast<std::uint32_t>(trace.ranks.size());
}

}  // namespace sim::formats
