#include "results/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/contract.hpp"
#include "core/random.hpp"

namespace sim::results
{
namespace
{

/// Names weighed; the heaviest wins, the first in the alphabet among equals.
class Vote
{
public:
    void add(const std::string& name, double weight) { weights_[name] += weight; }

    [[nodiscard]] std::string winner() const
    {
        const auto lighter = [](const auto& a, const auto& b) { return a.second < b.second; };
        const auto best = std::max_element(weights_.begin(), weights_.end(), lighter);
        return best == weights_.end() ? std::string{} : best->first;
    }

private:
    std::map<std::string, double> weights_;
};

/// The entry of that name, made at the end when it is new.
template <class Entry>
Entry& entry_of(std::vector<Entry>& entries, std::string Entry::*name, const std::string& wanted)
{
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const Entry& e) { return e.*name == wanted; });
    if (found != entries.end()) {
        return *found;
    }
    entries.emplace_back();
    entries.back().*name = wanted;
    return entries.back();
}

double ranks_of(const replay::Result& result)
{
    double ranks = 0;
    for (const auto& rank_class : result.classes) {
        ranks += static_cast<double>(rank_class.multiplicity);
    }
    return ranks;
}

void add_classes(const replay::Result& result, double weight, Summary& summary,
                 std::map<std::string, Vote>& bindings)
{
    const double ranks = ranks_of(result);
    for (const auto& rank_class : result.classes) {
        const double part = weight * static_cast<double>(rank_class.multiplicity) / ranks;
        for (std::size_t e = 0; e < replay::kEntries; ++e) {
            summary.ledger[e] += part * rank_class.ledger[e].base();
        }
        for (const auto& totals : rank_class.communication) {
            auto& purpose =
                entry_of(summary.communication, &PurposeSummary::purpose, totals.purpose);
            purpose.exposed += part * totals.exposed.base();
            purpose.hidden += part * totals.hidden.base();
            purpose.bytes_sent += part * totals.bytes_sent;
            purpose.nic_bytes_sent += part * totals.nic_bytes_sent;
            bindings[totals.purpose].add(totals.binding,
                                         part * (totals.exposed + totals.hidden).base());
        }
    }
}

void add_resources(const replay::Result& result, double weight, Summary& summary)
{
    for (const auto& from : result.resources) {
        auto& to = entry_of(summary.resources, &replay::ResourceClass::name, from.name);
        to.members = from.members;
        to.capacity = from.capacity;
        to.mean_utilisation += weight * from.mean_utilisation;
        to.peak_utilisation += weight * from.peak_utilisation;
    }
}

template <class Number>
Statistics over_seeds(const Point& point, Number number)
{
    std::vector<double> values;
    for (const auto& run : point.runs) {
        values.push_back(number(run.result));
    }
    return statistics(std::move(values));
}

}  // namespace

const char* name(Status status)
{
    switch (status) {
        case Status::done:
            return "done";
        case Status::does_not_fit:
            return "does not fit";
        case Status::failed:
            return "failed";
        case Status::left_out:
            return "left out";
    }
    return "";
}

double percentile(const std::vector<double>& sorted, double q)
{
    const double at = static_cast<double>(sorted.size() - 1) * q;
    const auto below = static_cast<std::size_t>(std::floor(at));
    const auto above = std::min(below + 1, sorted.size() - 1);
    const double part = at - static_cast<double>(below);
    return sorted[below] + part * (sorted[above] - sorted[below]);
}

Statistics statistics(std::vector<double> values)
{
    SIM_EXPECT(!values.empty());
    std::sort(values.begin(), values.end());
    // Around the least, so that equal values have themselves as mean to the last bit.
    double excess = 0;
    for (const double value : values) {
        excess += value - values.front();
    }
    return {.mean = values.front() + excess / static_cast<double>(values.size()),
            .p5 = percentile(values, 0.05),
            .p95 = percentile(values, 0.95),
            .min = values.front(),
            .max = values.back()};
}

Summary summarise(const Point& point)
{
    SIM_EXPECT(!point.runs.empty());
    using replay::Result;
    Summary summary;
    summary.seeds = point.runs.size();
    summary.step = over_seeds(point, [](const Result& r) { return r.step.base(); });
    summary.tokens_per_second =
        over_seeds(point, [](const Result& r) { return r.tokens_per_second; });
    summary.tokens_per_second_per_gpu =
        over_seeds(point, [](const Result& r) { return r.tokens_per_second_per_gpu; });
    summary.model_flops_per_second_per_gpu =
        over_seeds(point, [](const Result& r) { return r.model_flops_per_second_per_gpu; });
    summary.mfu = over_seeds(point, [](const Result& r) { return r.mfu; });
    summary.hfu = over_seeds(point, [](const Result& r) { return r.hfu; });

    const double weight = 1.0 / static_cast<double>(point.runs.size());
    std::map<std::string, Vote> bindings;
    Vote binding;
    for (const auto& [seed, result] : point.runs) {
        add_classes(result, weight, summary, bindings);
        add_resources(result, weight, summary);
        binding.add(result.binding, weight);
        summary.instances = std::max(summary.instances, result.instances);
        summary.activities += result.activities;
        summary.fingerprint = point.runs.size() == 1 ? result.fingerprint
                                                     : mix(summary.fingerprint, result.fingerprint);
    }
    for (auto& purpose : summary.communication) {
        purpose.binding = bindings[purpose.purpose].winner();
    }
    summary.binding = binding.winner();
    return summary;
}

std::size_t fullest_stage(const std::vector<workload::Footprint>& footprint)
{
    SIM_EXPECT(!footprint.empty());
    const auto smaller = [](const auto& a, const auto& b) { return a.total() < b.total(); };
    return static_cast<std::size_t>(std::max_element(footprint.begin(), footprint.end(), smaller) -
                                    footprint.begin());
}

std::string adjective(const std::string& purpose)
{
    const bool parallel =
        purpose == "data" || purpose == "tensor" || purpose == "context" || purpose == "expert";
    return parallel ? purpose + "-parallel" : purpose;
}

}  // namespace sim::results
