#include "replay/load_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace sim::replay
{

namespace
{

using fabric::VertexKind;

/// Nodes first, then the switches of each tier.
enum Tier : std::size_t { node, leaf, spine, core, kTiers };
constexpr const char* kTierNames[] = {"node", "leaf", "spine", "core"};

Tier tier_of(VertexKind kind)
{
    return kind == VertexKind::leaf    ? leaf
           : kind == VertexKind::spine ? spine
           : kind == VertexKind::core  ? core
                                       : node;
}

/// What is inside a node is the node.
std::string thing_of(const fabric::Vertex& vertex)
{
    return fabric::is_switch(vertex.kind) ? vertex.name
                                          : vertex.name.substr(0, vertex.name.find('/'));
}

class Picture
{
public:
    explicit Picture(const fabric::Graph& graph)
    {
        count(graph);
        for (std::size_t tier = 0; tier < kTiers; ++tier) {
            add_boxes(static_cast<Tier>(tier));
        }
        for (std::size_t v = 0; v < thing_of_vertex_.size(); ++v) {
            const auto& [tier, thing] = thing_of_vertex_[v];
            box_of_vertex_.push_back(first_box_[tier] + thing / in_a_box_[tier]);
        }
    }

    [[nodiscard]] std::uint32_t box(VertexId vertex) const
    {
        return static_cast<std::uint32_t>(box_of_vertex_[vertex.index()]);
    }
    /// Not told from each other where a box has several.
    [[nodiscard]] bool same_thing(VertexId a, VertexId b) const
    {
        return thing_of_vertex_[a.index()] == thing_of_vertex_[b.index()];
    }
    [[nodiscard]] std::vector<LoadBox> take_boxes() { return std::move(boxes_); }

private:
    void count(const fabric::Graph& graph)
    {
        std::map<std::pair<Tier, std::string>, std::size_t> known;
        for (const auto& vertex : graph.vertices()) {
            const auto tier = tier_of(vertex.kind);
            auto name = thing_of(vertex);
            const auto [at, is_new] = known.emplace(std::pair{tier, name}, names_[tier].size());
            if (is_new) {
                names_[tier].push_back(std::move(name));
            }
            thing_of_vertex_.emplace_back(tier, at->second);
        }
    }

    void add_boxes(Tier tier)
    {
        const auto& names = names_[tier];
        const auto each = std::max<std::size_t>(1, (names.size() + kMostBoxes - 1) / kMostBoxes);
        first_box_[tier] = boxes_.size();
        in_a_box_[tier] = each;
        for (std::size_t first = 0; first < names.size(); first += each) {
            const auto last = std::min(first + each, names.size()) - 1;
            boxes_.push_back(
                {first == last ? names[first] : fmt::format("{} to {}", names[first], names[last]),
                 kTierNames[tier], last - first + 1, 0});
        }
    }

    std::vector<std::string> names_[kTiers];
    std::vector<std::pair<Tier, std::size_t>> thing_of_vertex_;
    std::size_t first_box_[kTiers]{};
    std::size_t in_a_box_[kTiers]{};
    std::vector<std::size_t> box_of_vertex_;
    std::vector<LoadBox> boxes_;
};

/// How each resource of the machine was used over the step.
class Uses
{
public:
    Uses(const Instances& instances, const std::vector<double>& served, Time step)
        : instances_{instances}, served_{served}, step_{step.base()}
    {
    }
    [[nodiscard]] double of(ResourceId resource) const
    {
        const auto supply = instances_.supply_of.empty() ? resource.index()
                                                         : instances_.supply_of[resource.index()];
        return step_ > 0 ? served_[supply] / (instances_.supplies[supply].capacity * step_) : 0;
    }

private:
    const Instances& instances_;
    const std::vector<double>& served_;
    double step_;
};

}  // namespace

LoadMap load_map(const Machine& machine, const Instances& instances,
                 const std::vector<double>& served, Time step)
{
    const auto& graph = machine.fabric().graph;
    Picture picture{graph};
    const Uses uses{instances, served, step};
    auto boxes = picture.take_boxes();
    using Key = std::tuple<std::uint32_t, std::uint32_t, fabric::LinkKind>;
    std::map<Key, LoadWay> ways;
    const auto& links = graph.links();
    for (std::size_t i = 0; i + 1 < links.size(); i += 2) {
        const auto& link = links[i];
        const auto there = uses.of(machine.link(LinkId{i}));
        const auto back = uses.of(machine.link(LinkId{i + 1}));
        if (picture.same_thing(link.from, link.to)) {
            auto& inside = boxes[picture.box(link.from)].inside;
            inside = std::max({inside, there, back});
            continue;
        }
        const auto [from, to] = std::minmax({picture.box(link.from), picture.box(link.to)});
        auto& way = ways[{from, to, link.kind}];
        way.from = from;
        way.to = to;
        way.kind = name(kind_of(link.kind));
        way.cables += link.cables;
        way.mean += link.cables * (there + back) / 2;
        way.peak = std::max({way.peak, there, back});
    }
    LoadMap map{std::move(boxes), {}};
    for (auto& [key, way] : ways) {
        way.mean /= static_cast<double>(way.cables);
        map.ways.push_back(std::move(way));
    }
    return map;
}

}  // namespace sim::replay
