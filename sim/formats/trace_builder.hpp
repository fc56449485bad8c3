#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "formats/trace.hpp"

namespace sim::formats
{

/// Writes a trace node by node, for formats that tell an order instead of dependences.
class TraceBuilder
{
public:
    TraceBuilder(std::string format, std::uint32_t ranks);

    std::uint32_t label(const std::string& text);
    std::uint32_t group(std::string name, std::vector<std::uint32_t> ranks);

    /// Appends to the rank; what it waits for are indices that this gave. The id counts up.
    std::uint32_t add(std::uint32_t rank, TraceNode node,
                      const std::vector<std::uint32_t>& waits_for);
    [[nodiscard]] std::uint32_t ranks() const
    {
        return static_cast<std::uint32_t>(trace_.ranks.size());
    }
    [[nodiscard]] Trace take() { return std::move(trace_); }

private:
    Trace trace_;
    std::map<std::string, std::uint32_t> labels_;
};

}  // namespace sim::formats
