#include "fabric/drawing.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "fabric/description.hpp"

namespace sim::fabric
{
namespace
{

enum class Grain { single, group, tier };

std::string front(const std::string& name)
{
    const auto slash = name.rfind('/');
    return slash == std::string::npos ? std::string{} : name.substr(0, slash);
}

/// A place in the picture; equal keys are drawn as one.
struct BoxKey {
    VertexKind kind;  ///< nic: nodes
    std::string name;

    friend auto operator<=>(const BoxKey&, const BoxKey&) = default;
};

class Drawing
{
public:
    Drawing(const Fabric& fabric, Grain grain) : fabric_{fabric}, grain_{grain} { collect(); }

    [[nodiscard]] std::size_t boxes() const { return members_.size(); }
    [[nodiscard]] std::string text() const;

private:
    void collect();
    [[nodiscard]] std::optional<BoxKey> box(VertexId vertex) const;
    [[nodiscard]] std::string group_of_node(VertexId nic) const;
    [[nodiscard]] std::string label(const BoxKey& key) const;

    const Fabric& fabric_;
    Grain grain_;
    std::map<BoxKey, std::set<std::string>> members_;
    std::map<std::pair<BoxKey, BoxKey>, std::size_t> cables_;
};

/// The group of the switch that the node's first cable leads to.
std::string Drawing::group_of_node(VertexId nic) const
{
    for (const auto id : fabric_.graph.out_links(nic)) {
        const auto& link = fabric_.graph.links()[id.index()];
        if (link.kind == LinkKind::nic) {
            return front(fabric_.graph.vertices()[link.to.index()].name);
        }
    }
    return {};
}

std::optional<BoxKey> Drawing::box(VertexId vertex) const
{
    const auto& [kind, name] = fabric_.graph.vertices()[vertex.index()];
    if (kind == VertexKind::nic) {
        const auto of_group = grain_ == Grain::group ? group_of_node(vertex) : std::string{};
        return BoxKey{kind, grain_ == Grain::single ? front(name) : of_group};
    }
    if (!is_switch(kind)) {
        return std::nullopt;
    }
    const auto of_group = grain_ == Grain::group ? front(name) : std::string{};
    return BoxKey{kind, grain_ == Grain::single ? name : of_group};
}

void Drawing::collect()
{
    const auto& vertices = fabric_.graph.vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (const auto key = box(VertexId{i})) {
            const auto& name = vertices[i].name;
            members_[*key].insert(key->kind == VertexKind::nic ? front(name) : name);
        }
    }
    const auto& links = fabric_.graph.links();
    for (std::size_t i = 0; i < links.size(); i += 2) {
        auto from = box(links[i].from);
        auto to = box(links[i].to);
        if (from && to) {
            if (*to < *from) {
                std::swap(from, to);
            }
            cables_[{*from, *to}] += links[i].cables;
        }
    }
}

std::string Drawing::label(const BoxKey& key) const
{
    const auto& members = members_.at(key);
    if (members.size() == 1) {
        return *members.begin();
    }
    const auto what = key.kind == VertexKind::nic ? "node" : name(key.kind);
    return fmt::format("{}{}{} x {}", key.name, key.name.empty() ? "" : "\\n", members.size(),
                       what);
}

std::string Drawing::text() const
{
    std::string text =
        "graph fabric {\n"
        "  rankdir=BT; ranksep=1.2; node [fontname=\"sans-serif\", fontsize=10];\n"
        "  edge [color=\"#5b7083\", fontname=\"sans-serif\", fontsize=8];\n";
    std::map<BoxKey, std::size_t> number;
    std::map<VertexKind, std::string> ranks;
    for (const auto& [key, members] : members_) {
        const auto id = number.emplace(key, number.size()).first->second;
        const bool node = key.kind == VertexKind::nic;
        text += fmt::format("  b{} [label=\"{}\", shape={}, style=filled, fillcolor=\"{}\"];\n", id,
                            label(key), node ? "box" : "ellipse", node ? "#e8eef3" : "#ffd9a0");
        ranks[key.kind] += fmt::format(" b{};", id);
    }
    const bool tiers = ranks.contains(VertexKind::spine);
    for (const auto& [kind, ids] : ranks) {
        if (tiers) {
            text += fmt::format("  {{ rank=same;{} }}\n", ids);
        }
    }
    for (const auto& [ends, cables] : cables_) {
        const auto label = cables > 1 ? fmt::format(" [label=\"{}\"]", cables) : std::string{};
        text +=
            fmt::format("  b{} -- b{}{};\n", number.at(ends.first), number.at(ends.second), label);
    }
    return text + "}\n";
}

}  // namespace

std::string draw(const Fabric& fabric, std::size_t most_boxes)
{
    for (const auto grain : {Grain::single, Grain::group}) {
        const Drawing drawing{fabric, grain};
        if (drawing.boxes() <= most_boxes) {
            return drawing.text();
        }
    }
    return Drawing{fabric, Grain::tier}.text();
}

}  // namespace sim::fabric
