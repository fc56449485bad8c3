#include "results/observed_groups.hpp"

#include "results/load_groups.hpp"
#include "results/memory_group.hpp"
#include "results/points.hpp"

namespace sim::results
{
namespace
{

using replay::Observed;

Group losses(const replay::Result& result)
{
    std::vector<std::string> resources;
    for (const auto& resource : result.resources) {
        resources.push_back(resource.name);
    }
    std::vector<double> kernels;
    std::vector<double> transfers;
    for (const auto& rank_class : result.classes) {
        for (const auto& resource : resources) {
            replay::Lost found;
            for (const auto& lost : rank_class.lost) {
                found = lost.resource == resource ? lost : found;
            }
            kernels.push_back(found.kernels.base());
            transfers.push_back(found.transfers.base());
        }
    }
    Group group{"losses", {}};
    auto& v = group.variables;
    v.push_back(numbers("rank_class", result.classes.size(), "ranks that behave the same"));
    v.push_back(words("resource", resources, "class of resources that held back"));
    v.push_back({"kernels",
                 {"rank_class", "resource"},
                 kernels,
                 "s",
                 "kernels' time beyond that alone on an idle machine"});
    v.push_back({"transfers",
                 {"rank_class", "resource"},
                 transfers,
                 "s",
                 "the same of collectives and copies, a mean over the flows that run together"});
    return group;
}

Group waits(const replay::Result& result)
{
    std::vector<std::int64_t> rank_class;
    std::vector<std::int64_t> rank;
    std::vector<double> time;
    for (std::size_t c = 0; c < result.classes.size(); ++c) {
        for (const auto& wait : result.classes[c].waited) {
            rank_class.push_back(static_cast<std::int64_t>(c));
            rank.push_back(wait.rank);
            time.push_back(wait.time.base());
        }
    }
    Group group{"waits", {}};
    auto& v = group.variables;
    v.push_back(numbers("wait", time.size(), "a class of ranks that waited for a rank"));
    v.push_back({"rank_class", {"wait"}, rank_class, "1", "who waited"});
    v.push_back({"waited_for", {"wait"}, rank, "1", "the rank that came last"});
    v.push_back({"time", {"wait"}, time, "s", "in a step"});
    return group;
}

Group critical_path(const Observed& observed)
{
    std::vector<std::string> parts;
    std::vector<double> times;
    for (const auto& share : observed.critical) {
        parts.push_back(share.what);
        times.push_back(share.time.base());
    }
    Group group{"critical_path", {}};
    group.variables.push_back(words("part", parts, "class of resources, launch or latency"));
    group.variables.push_back(
        {"time", {"part"}, times, "s", "on the path that decides the step; sums to it"});
    return group;
}

Group utilisation(const Observed& observed)
{
    const auto bins = observed.timelines.empty() ? 0 : observed.timelines.front().mean.size();
    std::vector<std::string> resources;
    std::vector<double> mean;
    std::vector<double> peak;
    std::vector<double> time;
    for (std::size_t i = 0; i < bins; ++i) {
        time.push_back(observed.bin.base() * static_cast<double>(i));
    }
    for (const auto& line : observed.timelines) {
        resources.push_back(line.resource);
        mean.insert(mean.end(), line.mean.begin(), line.mean.end());
        peak.insert(peak.end(), line.peak.begin(), line.peak.end());
    }
    Group group{"utilisation", {}};
    auto& v = group.variables;
    v.push_back(words("resource", resources, "class of resources"));
    v.push_back({"time", {"time"}, time, "s", "start of a bin, from the start of the step"});
    v.push_back({"mean", {"resource", "time"}, mean, "1", "of the class's capacity, over the bin"});
    v.push_back({"peak", {"resource", "time"}, peak, "1", "the highest of any instant in the bin"});
    return group;
}

Group links(const Observed& observed)
{
    std::vector<std::string> names;
    std::vector<std::string> kinds;
    std::vector<std::int64_t> members;
    std::vector<double> use;
    for (const auto& link : observed.links) {
        names.push_back(link.name);
        kinds.push_back(link.kind);
        members.push_back(static_cast<std::int64_t>(link.members));
        use.push_back(link.utilisation);
    }
    Group group{"busiest_links", {}};
    auto& v = group.variables;
    v.push_back(words("link", names, "the busiest, or one of those loaded alike"));
    v.push_back({"class", {"link"}, kinds, "", "class of resources"});
    v.push_back({"members", {"link"}, members, "1", "links that are loaded alike"});
    v.push_back({"utilisation", {"link"}, use, "1", "over the step"});
    return group;
}

Group crossings(const Observed& observed)
{
    std::vector<std::string> link;
    std::vector<std::string> purpose;
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> last;
    std::vector<std::int64_t> ranks;
    std::vector<double> bytes;
    for (const auto& busy : observed.links) {
        for (const auto& crossing : busy.crossings) {
            link.push_back(busy.name);
            purpose.push_back(crossing.purpose);
            first.push_back(crossing.first_rank);
            last.push_back(crossing.last_rank);
            ranks.push_back(crossing.ranks);
            bytes.push_back(crossing.bytes);
        }
    }
    Group group{"crossings", {}};
    auto& v = group.variables;
    v.push_back(numbers("crossing", bytes.size(), "a group of ranks on one of the busiest links"));
    v.push_back({"link", {"crossing"}, link, "", "one of the busiest"});
    v.push_back({"purpose", {"crossing"}, purpose, "", "why the ranks talk"});
    v.push_back({"first_rank", {"crossing"}, first, "1", "of the group"});
    v.push_back({"last_rank", {"crossing"}, last, "1", "of the group"});
    v.push_back({"ranks", {"crossing"}, ranks, "1", "in the group"});
    v.push_back({"bytes", {"crossing"}, bytes, "B", "over the link in a step"});
    return group;
}

Group tiers(const Observed& observed)
{
    std::vector<std::string> resources;
    std::vector<double> bytes;
    for (const auto& tier : observed.tiers) {
        resources.push_back(tier.resource);
        bytes.push_back(tier.bytes);
    }
    Group group{"served", {}};
    group.variables.push_back(words("resource", resources, "class of resources"));
    group.variables.push_back(
        {"bytes", {"resource"}, bytes, "B", "served in a step, over all members and directions"});
    return group;
}

Group traffic(const Observed& observed)
{
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
    std::vector<std::string> purpose;
    std::vector<double> bytes;
    for (const auto& pair : observed.pairs) {
        from.push_back(pair.from);
        to.push_back(pair.to);
        purpose.push_back(pair.purpose);
        bytes.push_back(pair.bytes);
    }
    Group group{"traffic", {}};
    auto& v = group.variables;
    v.push_back(numbers("pair", bytes.size(), "two ranks and why they talk over the network"));
    v.push_back({"from_rank", {"pair"}, from, "1", "who sends"});
    v.push_back({"to_rank", {"pair"}, to, "1", "who receives"});
    v.push_back({"purpose", {"pair"}, purpose, "", "why"});
    v.push_back({"bytes", {"pair"}, bytes, "B", "in a step"});
    return group;
}

}  // namespace

void append_observed(const replay::Result& result, Document& document)
{
    if (!result.observed) {
        return;
    }
    const auto& observed = *result.observed;
    auto& groups = document.groups;
    if (observed.paces) {
        groups.push_back(losses(result));
        groups.push_back(utilisation(observed));
    }
    groups.push_back(waits(result));
    groups.push_back(critical_path(observed));
    groups.push_back(links(observed));
    groups.push_back(crossings(observed));
    groups.push_back(tiers(observed));
    groups.push_back(traffic(observed));
    groups.push_back(group_traffic_group(observed.groups));
    groups.push_back(load_boxes_group(observed.load));
    groups.push_back(load_ways_group(observed.load));
    if (!result.memory.held.empty()) {
        groups.push_back(memory_over_time_group(result.memory));
    }
}

}  // namespace sim::results
