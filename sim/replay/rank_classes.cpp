#include "replay/rank_classes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace sim::replay
{

namespace
{

constexpr double kAlike = 1e-9;

std::vector<CommunicationTotals> communication(const Ledger& ledger, RankId rank,
                                               const StepTraffic& traffic)
{
    std::vector<CommunicationTotals> all;
    for (std::size_t p = 0; p < kPurposes; ++p) {
        const auto purpose = static_cast<workload::Purpose>(p);
        const auto& measured = ledger.purpose(rank, purpose);
        if (measured.running <= Time{} && traffic[p].bytes <= 0) {
            continue;
        }
        CommunicationTotals totals;
        totals.purpose = name(purpose);
        totals.exposed = ledger.entries(rank)[static_cast<std::size_t>(exposed(purpose))];
        totals.hidden = std::max(Time{}, measured.running - totals.exposed);
        totals.bytes_sent = traffic[p].bytes;
        totals.nic_bytes_sent = traffic[p].nic_bytes;
        totals.binding = largest(measured.by_binding);
        all.push_back(totals);
    }
    return all;
}

/// Equal for ranks that behave the same. Values are rounded to a grid, so noise far below it does
/// not split a class.
using Key = std::vector<std::int64_t>;

Key key_of(const RankClass& candidate, ProgramId program, Time step)
{
    const auto grid = [&](Time time) {
        return step > Time{} ? std::llround(time / step / kAlike) : 0;
    };
    Key key{program.index()};
    for (const auto entry : candidate.ledger) {
        key.push_back(grid(entry));
    }
    for (const auto& totals : candidate.communication) {
        key.push_back(grid(totals.hidden));
        key.push_back(std::llround(totals.bytes_sent));
        key.push_back(std::llround(totals.nic_bytes_sent));
    }
    return key;
}

}  // namespace

std::string largest(const std::array<Time, kResourceKinds>& totals)
{
    const auto most = std::max_element(totals.begin(), totals.end());
    return *most > Time{} ? name(static_cast<ResourceKind>(most - totals.begin())) : "";
}

std::vector<RankClass> rank_classes(const Instances& instances, const Ledger& ledger,
                                    const std::vector<StepTraffic>& traffic)
{
    std::vector<RankClass> classes;
    std::vector<std::size_t> class_of_instance;
    std::map<Key, std::size_t> known;
    const auto& graph = instances.graph;
    for (std::uint32_t i = 0; i < graph.ranks(); ++i) {
        const RankId instance{i};
        RankClass candidate;
        candidate.multiplicity = 0;
        const auto program = graph.program_of_rank[i];
        candidate.stage = graph.programs[program.index()].stage;
        candidate.ledger = ledger.entries(instance);
        candidate.communication = communication(ledger, instance, traffic[i]);
        const auto [at, is_new] =
            known.emplace(key_of(candidate, program, ledger.window()), classes.size());
        class_of_instance.push_back(at->second);
        if (is_new) {
            classes.push_back(std::move(candidate));
        }
    }
    for (std::uint32_t rank = 0; rank < instances.instance_of_rank.size(); ++rank) {
        auto& its = classes[class_of_instance[instances.instance_of_rank[rank]]];
        its.members.push_back(rank);
        ++its.multiplicity;
    }
    return classes;
}

}  // namespace sim::replay
