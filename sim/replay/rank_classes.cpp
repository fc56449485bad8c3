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

Key key_of(const RankClass& candidate, Time step)
{
    const auto grid = [&](Time time) {
        return step > Time{} ? std::llround(time / step / kAlike) : 0;
    };
    Key key{candidate.stage};
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

std::vector<RankClass> rank_classes(const workload::TaskGraph& graph, const Ledger& ledger,
                                    const std::vector<StepTraffic>& traffic)
{
    std::vector<RankClass> classes;
    std::map<Key, std::size_t> known;
    for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
        const RankId rank{r};
        RankClass candidate;
        candidate.members = {r};
        candidate.stage = graph.program_of_rank[r].index();
        candidate.ledger = ledger.entries(rank);
        candidate.communication = communication(ledger, rank, traffic[r]);
        const auto [at, is_new] = known.emplace(key_of(candidate, ledger.window()), classes.size());
        if (is_new) {
            classes.push_back(std::move(candidate));
        } else {
            classes[at->second].members.push_back(r);
            ++classes[at->second].multiplicity;
        }
    }
    return classes;
}

}  // namespace sim::replay
