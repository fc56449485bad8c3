#include "formats/trace_meetings.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "formats/trace_words.hpp"

namespace sim::formats
{

namespace
{

constexpr std::size_t kMostMistakes = 20;

using Pair = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;  ///< from, to, tag

bool communicates(const TraceNode& node) { return node.kind != TraceKind::compute; }

class Matcher
{
public:
    Matcher(const Trace& trace, const std::vector<RankTopology>& topologies)
        : trace_{trace}, topologies_{topologies}, member_of_(trace.ranks.size())
    {
        // Of copies one is looked at; the others come when it does.
        for (const auto& group : trace.groups) {
            add_communicator(
                {trace.copies > 1 ? std::vector<std::uint32_t>{0} : group.ranks, false});
        }
    }

    TraceOrder match()
    {
        for (std::uint32_t rank = 0; rank < trace_.ranks.size(); ++rank) {
            order_.meetings.emplace_back(trace_.ranks[rank].nodes.size());
            for (const auto node : topologies_[rank].order) {
                if (communicates(node_of(rank, node))) {
                    number(rank, node);
                }
            }
        }
        for (std::uint32_t i = 0; i < order_.communicators.size(); ++i) {
            compare(i);
        }
        if (!wrong_.empty()) {
            throw InputError{std::move(wrong_)};
        }
        return std::move(order_);
    }

private:
    [[nodiscard]] const TraceNode& node_of(std::uint32_t rank, std::uint32_t node) const
    {
        return trace_.ranks[rank].nodes[node];
    }

    std::uint32_t add_communicator(TraceOrder::Communicator communicator)
    {
        const auto index = static_cast<std::uint32_t>(order_.communicators.size());
        for (std::uint32_t member = 0; member < communicator.ranks.size(); ++member) {
            if (communicator.ranks[member] < member_of_.size()) {
                member_of_[communicator.ranks[member]].emplace(index, member);
            }
        }
        brought_.emplace_back(communicator.ranks.size());
        order_.communicators.push_back(std::move(communicator));
        return index;
    }

    void complain(std::uint32_t rank, std::string message)
    {
        if (wrong_.size() < kMostMistakes) {
            wrong_.push_back(about_rank(trace_, rank, std::move(message)));
        }
    }

    [[nodiscard]] std::string describe(std::uint32_t rank, std::uint32_t node) const
    {
        const auto& each = node_of(rank, node);
        return fmt::format("node {} \"{}\"", each.id, trace_.labels[each.label]);
    }

    std::uint32_t communicator_of(std::uint32_t rank, const TraceNode& node)
    {
        if (node.kind == TraceKind::collective) {
            return node.group;
        }
        const bool sends = node.kind == TraceKind::send;
        const Pair pair{sends ? rank : node.peer, sends ? node.peer : rank, node.tag};
        const auto known = pairs_.find(pair);
        if (known != pairs_.end()) {
            return known->second;
        }
        const auto added = add_communicator({{std::get<0>(pair), std::get<1>(pair)}, true});
        pairs_.emplace(pair, added);
        return added;
    }

    void number(std::uint32_t rank, std::uint32_t node)
    {
        const auto& each = node_of(rank, node);
        if (each.kind != TraceKind::collective && each.peer >= trace_.ranks.size()) {
            complain(rank, fmt::format("{} names rank {}, but there are {}", describe(rank, node),
                                       each.peer, trace_.ranks.size()));
            return;
        }
        if (each.kind != TraceKind::collective && each.peer == rank) {
            complain(rank, fmt::format("{} is with itself", describe(rank, node)));
            return;
        }
        const auto communicator = communicator_of(rank, each);
        const auto found = member_of_[rank].find(communicator);
        if (found == member_of_[rank].end()) {
            complain(rank, fmt::format("{} is of process group \"{}\", which the rank is not in",
                                       describe(rank, node), trace_.groups[each.group].name));
            return;
        }
        auto& mine = brought_[communicator][found->second];
        order_.meetings[rank][node] = {communicator, static_cast<std::uint32_t>(mine.size()),
                                       found->second};
        mine.push_back(node);
    }

    void compare(std::uint32_t communicator)
    {
        const auto& all = brought_[communicator];
        const auto& members = order_.communicators[communicator].ranks;
        for (std::size_t member = 1; member < all.size(); ++member) {
            const auto rank = members[member];
            if (all[member].size() != all[0].size()) {
                complain(rank, counts(communicator, member));
                continue;
            }
            for (std::size_t k = 0; k < all[0].size(); ++k) {
                compare_one({members[0], all[0][k]}, {rank, all[member][k]});
            }
        }
    }

    [[nodiscard]] std::string counts(std::uint32_t communicator, std::size_t member) const
    {
        const auto& all = brought_[communicator];
        const auto& members = order_.communicators[communicator].ranks;
        if (order_.communicators[communicator].pair) {
            return fmt::format("receives {} times from rank {} what that sends {} times",
                               all[1].size(), members[0], all[0].size());
        }
        return fmt::format("takes part in {} collectives of process group \"{}\", rank {} in {}",
                           all[member].size(), trace_.groups[communicator].name, members[0],
                           all[0].size());
    }

    struct Place {
        std::uint32_t rank;
        std::uint32_t node;
    };
    void compare_one(Place first, Place other)
    {
        const auto& a = node_of(first.rank, first.node);
        const auto& b = node_of(other.rank, other.node);
        if (a.size != b.size || a.collective != b.collective) {
            complain(other.rank, fmt::format("{} ({}, {} B) meets {} of rank {} ({}, {} B)",
                                             describe(other.rank, other.node), word(b.collective),
                                             b.size, describe(first.rank, first.node), first.rank,
                                             word(a.collective), a.size));
        }
    }

    const Trace& trace_;
    const std::vector<RankTopology>& topologies_;
    TraceOrder order_;
    std::map<Pair, std::uint32_t> pairs_;
    /// By rank: its place in each communicator.
    std::vector<std::map<std::uint32_t, std::uint32_t>> member_of_;
    std::vector<std::vector<std::vector<std::uint32_t>>> brought_;  ///< by communicator, member
    Diagnostics wrong_;
};

}  // namespace

TraceOrder match_meetings(const Trace& trace, const std::vector<RankTopology>& topologies)
{
    return Matcher{trace, topologies}.match();
}

}  // namespace sim::formats
