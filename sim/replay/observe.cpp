#include "replay/observe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "core/contract.hpp"
#include "replay/group_traffic.hpp"
#include "replay/load_map.hpp"
#include "replay/traffic.hpp"

namespace sim::replay
{

namespace
{

constexpr double kRounding = 1e-9;  ///< of the step
constexpr std::size_t kWaits = 5;   ///< of a class
constexpr std::size_t kLinks = 10;
constexpr std::size_t kCrossings = 5;    ///< of a link
constexpr std::size_t kPairs = 100'000;  ///< more are left out

/// Of the communicators that the instance is in.
LostTimes lost_by_transfers(const workload::TaskGraph& graph, const Watch& watch, RankId rank)
{
    auto lost = watch.lost_by_copies(rank);
    for (std::uint32_t slot = 0; slot < graph.slots_per_rank; ++slot) {
        const auto c = graph.slots[std::size_t{rank.index()} * graph.slots_per_rank + slot];
        if (c == workload::kNoCommunicator) {
            continue;
        }
        const auto& own = watch.lost_by(CommunicatorId{c});
        for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
            lost[kind] += own[kind];
        }
    }
    return lost;
}

void add_lost(RankClass& to, const workload::TaskGraph& graph, const Watch& watch, RankId rank)
{
    const auto& kernels = watch.lost_by_tasks(rank);
    const auto transfers = lost_by_transfers(graph, watch, rank);
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
        if (kernels[kind] > 0 || transfers[kind] > 0) {
            to.lost.push_back({name(static_cast<ResourceKind>(kind)), Time::of(kernels[kind]),
                               Time::of(transfers[kind])});
        }
    }
}

void add_waits(RankClass& to, const std::map<std::uint32_t, Time>& waits)
{
    for (const auto& [rank, time] : waits) {
        to.waited.push_back({rank, time});
    }
    std::stable_sort(to.waited.begin(), to.waited.end(),
                     [](const auto& a, const auto& b) { return a.time > b.time; });
    to.waited.resize(std::min(to.waited.size(), kWaits));
}

std::vector<PathShare> critical_path(const CriticalPath& path, Time step)
{
    std::vector<PathShare> shares;
    double sum = 0;
    for (std::size_t part = 0; part < kPathParts; ++part) {
        sum += path.parts()[part];
        if (path.parts()[part] > 0) {
            shares.push_back({path_part_name(part), Time::of(path.parts()[part])});
        }
    }
    SIM_EXPECT(std::abs(sum - step.base()) <= kRounding * step.base());
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& a, const auto& b) { return a.time > b.time; });
    return shares;
}

void add_timelines(Observed& to, const Watch& watch, const std::vector<Supply>& supplies)
{
    const auto* bins = watch.has_paces() ? watch.bins() : nullptr;
    if (bins == nullptr) {
        return;
    }
    to.paces = true;
    to.bin = Time::of(bins->width());
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
        const auto is_kind = [&](const Supply& s) {
            return static_cast<std::size_t>(s.kind) == kind;
        };
        if (std::any_of(supplies.begin(), supplies.end(), is_kind)) {
            to.timelines.push_back(
                {name(static_cast<ResourceKind>(kind)), bins->means(kind), bins->peaks(kind)});
        }
    }
}

std::vector<TierBytes> tier_bytes(const std::vector<Supply>& supplies,
                                  const std::vector<double>& served)
{
    std::array<double, kResourceKinds> bytes{};
    for (std::size_t i = 0; i < supplies.size(); ++i) {
        bytes[static_cast<std::size_t>(supplies[i].kind)] +=
            served[i] * static_cast<double>(supplies[i].members);
    }
    std::vector<TierBytes> tiers;
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
        if (static_cast<ResourceKind>(kind) != ResourceKind::sm && bytes[kind] > 0) {
            tiers.push_back({name(static_cast<ResourceKind>(kind)), bytes[kind]});
        }
    }
    return tiers;
}

/// The busiest of each class of links, as places among the supplies.
std::vector<std::size_t> busiest(const std::vector<Supply>& supplies,
                                 const std::vector<double>& served)
{
    const auto use = [&](std::size_t i) { return served[i] / supplies[i].capacity; };
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < supplies.size(); ++i) {
        const bool link = supplies[i].kind >= ResourceKind::nvlink && served[i] > 0;
        if (link) {
            order.push_back(i);
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return use(a) > use(b); });
    order.resize(std::min(order.size(), kLinks));
    return order;
}

/// By resource that was asked for: bytes of the collectives that run in a step.
class CrossingBytes
{
public:
    explicit CrossingBytes(const std::vector<std::size_t>& wanted)
    {
        for (const auto supply : wanted) {
            bytes_[supply];
        }
    }
    void add(const LoweredCollective& plan, double times)
    {
        for (const auto& flow : plan.flows) {
            add({plan.uses.data() + flow.first_use, flow.uses}, times * flow.amount);
        }
        for (const auto& hop : plan.chunks.hops) {
            add({plan.uses.data() + hop.first_use, hop.uses}, times * hop.amount);
        }
    }
    [[nodiscard]] const std::map<std::size_t, double>& bytes() const { return bytes_; }

private:
    void add(std::span<const engine::Use> uses, double amount)
    {
        for (const auto& use : uses) {
            const auto found = bytes_.find(use.resource.index());
            if (found != bytes_.end()) {
                found->second += amount * use.consumption;
            }
        }
    }
    std::map<std::size_t, double> bytes_;
};

Crossing crossing(const workload::Communicator& of, double bytes)
{
    const auto [first, last] = std::minmax_element(of.members.begin(), of.members.end());
    return {name(of.purpose), first->index(), last->index(),
            static_cast<std::uint32_t>(of.members.size()), bytes};
}

void add_links(Observed& to, const Watched& watched, Executor& executor, Time step)
{
    const auto& supplies = watched.instances.supplies;
    const auto wanted = busiest(supplies, executor.served());
    std::map<std::size_t, std::vector<Crossing>> crossings;
    const auto& graph = watched.instances.graph;
    for (std::size_t c = 0; c < graph.communicators.size(); ++c) {
        CrossingBytes bytes{wanted};
        for (const auto& plan : plans_of_step(graph, executor.lowering(), CommunicatorId{c})) {
            bytes.add(*plan.plan, plan.times);
        }
        const auto of = watched.instances.communicators.empty()
                            ? CommunicatorId{c}
                            : watched.instances.communicators[c];
        for (const auto& [supply, crossed] : bytes.bytes()) {
            if (crossed > 0) {
                crossings[supply].push_back(
                    crossing(watched.job.communicators[of.index()], crossed));
            }
        }
    }
    for (const auto supply : wanted) {
        const auto& s = supplies[supply];
        auto& all = crossings[supply];
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
        all.resize(std::min(all.size(), kCrossings));
        to.links.push_back({watched.machine.name(s.representative), name(s.kind),
                            s.members * s.bundle,
                            executor.served()[supply] / (s.capacity * step.base()), all});
    }
}

std::vector<RankPair> rank_pairs(const Watched& watched)
{
    const auto& job = watched.job;
    std::map<GpuId, std::uint32_t> rank_of;
    for (std::uint32_t rank = 0; rank < job.ranks(); ++rank) {
        rank_of[watched.machine.gpu_of(RankId{rank})] = rank;
    }
    using Key = std::tuple<std::uint32_t, std::uint32_t, workload::Purpose>;
    std::map<Key, double> bytes;
    for (std::size_t c = 0; c < job.communicators.size(); ++c) {
        const CommunicatorId communicator{c};
        for (const auto& plan : plans_of_step(job, watched.planner, communicator)) {
            for (const auto& sent : watched.planner.network_pairs(communicator, *plan.asked)) {
                bytes[{rank_of.at(sent.from), rank_of.at(sent.to), job.communicators[c].purpose}] +=
                    plan.times * sent.bytes;
            }
        }
        if (bytes.size() > kPairs) {
            return {};
        }
    }
    std::vector<RankPair> pairs;
    for (const auto& [key, sum] : bytes) {
        pairs.push_back({std::get<0>(key), std::get<1>(key), name(std::get<2>(key)), sum});
    }
    return pairs;
}

}  // namespace

void observe(Result& result, const Watched& watched, Executor& executor)
{
    const auto* watch = executor.watch();
    SIM_EXPECT(watch != nullptr);
    const auto& instances = watched.instances;
    for (auto& rank_class : result.classes) {
        const RankId instance{std::size_t{instances.instance_of_rank[rank_class.members.front()]}};
        add_lost(rank_class, instances.graph, *watch, instance);
        add_waits(rank_class, watch->waits(instance));
    }
    Observed observed;
    observed.critical = critical_path(watch->path(), result.step);
    observed.tiers = tier_bytes(instances.supplies, executor.served());
    add_timelines(observed, *watch, instances.supplies);
    add_links(observed, watched, executor, result.step);
    if (watched.job.ranks() <= kMostPairRanks) {
        observed.pairs = rank_pairs(watched);
    }
    observed.groups = group_traffic(watched.job, watched.planner);
    observed.load = load_map(watched.machine, instances, executor.served(), result.step);
    observed.memory = watch->memory().stages();
    observed.memory_bin = watch->memory().bin();
    result.observed = std::move(observed);
}

}  // namespace sim::replay
