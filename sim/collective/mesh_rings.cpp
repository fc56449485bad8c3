#include "collective/mesh_rings.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace sim::collective
{

std::vector<std::size_t> zigzag(std::size_t start, std::size_t n)
{
    std::vector<std::size_t> order{start % n};
    for (std::size_t away = 1; order.size() < n; ++away) {
        order.push_back((start + away) % n);
        if (order.size() < n) {
            order.push_back((start + n - away) % n);
        }
    }
    return order;
}

std::vector<std::vector<std::size_t>> disjoint_rings(std::size_t n)
{
    std::vector<std::vector<std::size_t>> rings;
    for (std::size_t start = 0; start < (n - 1) / 2; ++start) {
        // The last position closes the way of the others.
        auto ring = zigzag(start, n - 1);
        ring.push_back(n - 1);
        rings.push_back(ring);
        std::reverse(ring.begin(), ring.end());
        rings.push_back(std::move(ring));
    }
    return rings;
}

namespace
{

constexpr std::size_t kMostSearched = 16;
constexpr int kMostTries = 200'000;

/// Looks for cycles one after another; each goes through position 0 once.
class RingSearch
{
public:
    explicit RingSearch(const Joins& joins) : joins_{joins}, visited_(joins.size(), false) {}

    [[nodiscard]] bool find(std::size_t cycles)
    {
        tries_ = 0;
        found_.clear();
        return next_cycle(cycles);
    }
    [[nodiscard]] const std::vector<std::vector<std::size_t>>& found() const { return found_; }

private:
    bool next_cycle(std::size_t left)
    {
        if (left == 0) {
            return true;
        }
        std::vector<std::size_t> outer;
        std::swap(outer, path_);
        path_ = {0};
        visited_.assign(joins_.size(), false);
        visited_[0] = true;
        if (extend(left)) {
            return true;
        }
        std::swap(outer, path_);
        visited_.assign(joins_.size(), true);
        return false;
    }

    bool extend(std::size_t left)
    {
        if (++tries_ > kMostTries) {
            return false;
        }
        const auto last = path_.back();
        if (path_.size() == joins_.size()) {
            return joins_[last][0] > 0 && close(left);
        }
        for (std::size_t next = 1; next < joins_.size(); ++next) {
            if (visited_[next] || joins_[last][next] == 0) {
                continue;
            }
            take(last, next, -1);
            visited_[next] = true;
            path_.push_back(next);
            if (extend(left)) {
                return true;
            }
            path_.pop_back();
            visited_[next] = false;
            take(last, next, 1);
        }
        return false;
    }

    bool close(std::size_t left)
    {
        const auto cycle = path_;
        take(cycle.back(), 0, -1);
        found_.push_back(cycle);
        if (next_cycle(left - 1)) {
            return true;
        }
        found_.pop_back();
        take(cycle.back(), 0, 1);
        return false;
    }

    void take(std::size_t a, std::size_t b, int units)
    {
        joins_[a][b] += units;
        joins_[b][a] += units;
    }

    Joins joins_;
    std::vector<bool> visited_;
    std::vector<std::size_t> path_;
    std::vector<std::vector<std::size_t>> found_;
    int tries_ = 0;
};

int fewest_joins(const Joins& joins)
{
    int fewest = std::numeric_limits<int>::max();
    for (const auto& row : joins) {
        fewest = std::min(fewest, std::accumulate(row.begin(), row.end(), 0));
    }
    return fewest;
}

}  // namespace

std::vector<std::vector<std::size_t>> searched_rings(const Joins& joins)
{
    std::vector<std::vector<std::size_t>> rings;
    if (joins.size() < 3 || joins.size() > kMostSearched) {
        return rings;
    }
    for (int cycles = fewest_joins(joins) / 2; cycles > 0 && rings.empty(); --cycles) {
        RingSearch search{joins};
        if (search.find(static_cast<std::size_t>(cycles))) {
            for (const auto& cycle : search.found()) {
                rings.push_back(cycle);
                rings.emplace_back(cycle.rbegin(), cycle.rend());
            }
        }
    }
    return rings;
}

Joins joins_of(const fabric::Fabric& fabric, std::span<const GpuId> members)
{
    Joins joins(members.size(), std::vector<int>(members.size(), 0));
    const auto& graph = fabric.graph;
    std::vector<std::vector<double>> rates(members.size(), std::vector<double>(members.size(), 0));
    double slowest = std::numeric_limits<double>::infinity();
    for (std::size_t from = 0; from < members.size(); ++from) {
        for (const auto id : graph.out_links(fabric.gpus[members[from].index()])) {
            const auto& link = graph.links()[id.index()];
            for (std::size_t to = 0; to < members.size(); ++to) {
                if (link.to == fabric.gpus[members[to].index()]) {
                    rates[from][to] += link.bandwidth.base();
                    slowest = std::min(slowest, rates[from][to]);
                }
            }
        }
    }
    for (std::size_t from = 0; from < members.size(); ++from) {
        for (std::size_t to = 0; to < members.size(); ++to) {
            joins[from][to] = static_cast<int>(rates[from][to] / slowest + 0.5);
        }
    }
    return joins;
}

bool fully_joined(const fabric::Fabric& fabric, std::span<const GpuId> members)
{
    if (members.size() < 3) {
        return false;
    }
    const auto& graph = fabric.graph;
    for (const auto from : members) {
        const auto links = graph.out_links(fabric.gpus[from.index()]);
        const auto joined = [&](GpuId to) {
            return to == from || std::any_of(links.begin(), links.end(), [&](LinkId link) {
                       return graph.links()[link.index()].to == fabric.gpus[to.index()];
                   });
        };
        if (!std::all_of(members.begin(), members.end(), joined)) {
            return false;
        }
    }
    return true;
}

}  // namespace sim::collective
