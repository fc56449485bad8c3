#include "formats/trace.hpp"

#include <fmt/format.h>

#include <utility>

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

Diagnostic about_rank(const Trace& trace, std::uint32_t rank, std::string message)
{
    Diagnostic diagnostic;
    diagnostic.file = rank < trace.files.size() ? trace.files[rank] : "";
    diagnostic.key = fmt::format("rank {}", rank);
    diagnostic.message = std::move(message);
    return diagnostic;
}

std::uint32_t rank_count(const Trace& trace)
{
    return trace.copies > 1 ? trace.copies : static_cast<std::uint32_t>(trace.ranks.size());
}

}  // namespace sim::formats
