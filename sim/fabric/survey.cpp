#include "fabric/survey.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace sim::fabric
{
namespace
{

/// NICs whose ports are on the same switches: as far from everything as each other.
struct NicClass {
    std::vector<std::uint32_t> switches;
    double nics = 0;
    std::vector<std::size_t> nodes;  ///< with members, each once
};

class Surveyor
{
public:
    explicit Surveyor(const Fabric& fabric);
    [[nodiscard]] Survey run(std::size_t most_starts);

private:
    struct Neighbour {
        std::uint32_t to;
        std::uint32_t cables;
    };

    void search(const NicClass& from);
    void count(std::size_t from);

    const Fabric& fabric_;
    std::vector<std::vector<Neighbour>> neighbours_;  ///< of switches, by vertex
    std::vector<NicClass> classes_;
    std::vector<std::map<std::size_t, double>> on_node_;  ///< NICs of each class, by node

    std::vector<std::uint32_t> distance_;
    std::vector<double> paths_;
    std::vector<std::uint32_t> queue_;

    Survey result_;
    double pairs_ = 0;
    double hops_ = 0;
};

Surveyor::Surveyor(const Fabric& fabric)
    : fabric_{fabric}, neighbours_(fabric.graph.vertices().size()), on_node_(fabric.nodes)
{
    const auto& vertices = fabric.graph.vertices();
    const auto& links = fabric.graph.links();
    std::map<std::uint32_t, std::vector<std::uint32_t>> ports;
    for (const auto& link : links) {
        const auto from = vertices[link.from.index()].kind;
        const auto to = vertices[link.to.index()].kind;
        if (link.kind == LinkKind::nic && from == VertexKind::nic) {
            ports[link.from.index()].push_back(link.to.index());
        } else if (link.kind != LinkKind::nic && is_switch(from) && is_switch(to)) {
            neighbours_[link.from.index()].push_back({link.to.index(), link.cables});
        }
    }
    std::map<std::vector<std::uint32_t>, std::size_t> known;
    for (std::size_t nic = 0; nic < fabric.nics.size(); ++nic) {
        auto& own = ports[fabric.nics[nic].index()];
        std::sort(own.begin(), own.end());
        const auto [entry, is_new] = known.emplace(own, classes_.size());
        if (is_new) {
            classes_.push_back({own, 0, {}});
        }
        auto& nic_class = classes_[entry->second];
        const std::size_t node = fabric.node_of_nic[nic].index();
        nic_class.nics += 1;
        if (on_node_[node][entry->second]++ == 0) {
            nic_class.nodes.push_back(node);
        }
    }
}

/// Hops and numbers of shortest paths from any switch of the class to every switch.
void Surveyor::search(const NicClass& from)
{
    distance_.assign(neighbours_.size(), kUnreachable);
    paths_.assign(neighbours_.size(), 0.0);
    queue_.clear();
    for (const auto start : from.switches) {
        distance_[start] = 0;
        paths_[start] = 1;
        queue_.push_back(start);
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const auto at = queue_[i];
        for (const auto& next : neighbours_[at]) {
            if (distance_[next.to] == kUnreachable) {
                distance_[next.to] = distance_[at] + 1;
                queue_.push_back(next.to);
            }
            if (distance_[next.to] == distance_[at] + 1) {
                paths_[next.to] += paths_[at] * next.cables;
            }
        }
    }
}

void Surveyor::count(std::size_t from)
{
    const auto& start = classes_[from];
    std::map<std::size_t, double> same_node;
    for (const auto node : start.nodes) {
        for (const auto& [other, nics] : on_node_[node]) {
            same_node[other] += on_node_[node].at(from) * nics;
        }
    }
    for (std::size_t to = 0; to < classes_.size(); ++to) {
        const auto& end = classes_[to];
        const auto own = same_node.find(to);
        const double pairs = start.nics * end.nics - (own == same_node.end() ? 0 : own->second);
        std::uint32_t nearest = kUnreachable;
        double paths = 0;
        for (const auto port : end.switches) {
            nearest = std::min(nearest, distance_[port]);
        }
        for (const auto port : end.switches) {
            paths += distance_[port] == nearest ? paths_[port] : 0;
        }
        if (pairs == 0 || nearest == kUnreachable) {
            continue;
        }
        constexpr int kNicCables = 2;
        const int hops = static_cast<int>(nearest) + kNicCables;
        result_.diameter = std::max(result_.diameter, hops);
        pairs_ += pairs;
        hops_ += pairs * hops;
        if (nearest > 0) {
            const bool first = result_.most_paths == 0;
            result_.fewest_paths = first ? paths : std::min(result_.fewest_paths, paths);
            result_.most_paths = std::max(result_.most_paths, paths);
        }
    }
}

Survey Surveyor::run(std::size_t most_starts)
{
    result_.starts = classes_.size();
    result_.surveyed = std::min(classes_.size(), most_starts);
    for (std::size_t i = 0; i < result_.surveyed; ++i) {
        const auto from = i * classes_.size() / result_.surveyed;
        search(classes_[from]);
        count(from);
    }
    result_.mean_hops = pairs_ > 0 ? hops_ / pairs_ : 0;
    return result_;
}

}  // namespace

Survey survey(const Fabric& fabric, std::size_t most_starts)
{
    return Surveyor{fabric}.run(most_starts);
}

}  // namespace sim::fabric
