#include "formats/trace_builder.hpp"

#include <algorithm>

namespace sim::formats
{

TraceBuilder::TraceBuilder(std::string format, std::uint32_t ranks)
{
    trace_.format = std::move(format);
    trace_.ranks.resize(ranks);
}

std::uint32_t TraceBuilder::label(const std::string& text)
{
    const auto [found, fresh] =
        labels_.emplace(text, static_cast<std::uint32_t>(trace_.labels.size()));
    if (fresh) {
        trace_.labels.push_back(text);
    }
    return found->second;
}

std::uint32_t TraceBuilder::group(std::string name, std::vector<std::uint32_t> ranks)
{
    trace_.groups.push_back({std::move(name), std::move(ranks)});
    return static_cast<std::uint32_t>(trace_.groups.size() - 1);
}

std::uint32_t TraceBuilder::add(std::uint32_t rank, TraceNode node,
                                const std::vector<std::uint32_t>& waits_for)
{
    auto& to = trace_.ranks[rank];
    const auto index = static_cast<std::uint32_t>(to.nodes.size());
    node.id = index;
    node.first_dependence = static_cast<std::uint32_t>(to.dependences.size());
    node.dependences = static_cast<std::uint32_t>(waits_for.size());
    to.dependences.insert(to.dependences.end(), waits_for.begin(), waits_for.end());
    to.lanes = std::max(to.lanes, node.lane + 1);
    to.nodes.push_back(node);
    return index;
}

}  // namespace sim::formats
