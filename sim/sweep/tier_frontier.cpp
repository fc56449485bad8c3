#include "sweep/tier_frontier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/diagnostics.hpp"
#include "sweep/fit.hpp"

namespace sim::sweep
{

namespace
{

constexpr double kHour = 3600;
constexpr double kYear = 365 * 24 * kHour;
constexpr const char* kNoPolicy = "none";

/// On 1 / `divisor` of the replicas; micro-batches as large, as many more of them.
spec::ExperimentSpec on_fewer(spec::ExperimentSpec experiment, int divisor)
{
    auto& plan = experiment.workload.plan;
    auto& cluster = experiment.cluster;
    plan.data /= divisor;
    plan.zero_group.reset();
    const auto ranks = plan.tensor * plan.context * plan.pipeline * plan.data;
    cluster.nodes = std::max(1, (ranks + cluster.node.gpus - 1) / cluster.node.gpus);
    return experiment;
}

/// The least sharding that the policy is for.
spec::ExperimentSpec under(spec::ExperimentSpec experiment, const spec::OffloadSpec& policy)
{
    auto& plan = experiment.workload.plan;
    plan.zero = std::max(plan.zero, policy.weights.away() > 0     ? 3
                                    : policy.gradients.away() > 0 ? 2
                                                                  : plan.zero);
    experiment.workload.offload = policy;
    return experiment;
}

int ranks_of(const spec::ExperimentSpec& experiment)
{
    const auto& plan = experiment.workload.plan;
    return plan.tensor * plan.context * plan.pipeline * plan.data;
}

bool is_valid(const spec::ExperimentSpec& experiment)
{
    return !has_errors(spec::validate(experiment.workload, ranks_of(experiment), "workload"));
}

double utilisation(const replay::Result& result)
{
    for (const auto& resource : result.resources) {
        if (resource.name == "sm") {
            return resource.mean_utilisation;
        }
    }
    return 0;
}

/// What of the machine the choice needs, counted.
struct Bill {
    double nodes = 0;
    double memory_TB = 0;
    double drives = 0;
};

Bill bill_of(const spec::ExperimentSpec& experiment, const replay::Result& result)
{
    Bill bill;
    const auto& node = experiment.cluster.node;
    const double ranks = ranks_of(experiment);
    bill.nodes = std::ceil(ranks / node.gpus);
    for (const auto& use : result.tiers) {
        if (use.tier == spec::DataTier::storage) {
            bill.drives = bill.nodes * node.host.storage->count;
        } else {
            const double places = std::ceil(ranks / static_cast<double>(use.gpus));
            bill.memory_TB += places * static_cast<double>(use.held.base()) / 1e12;
        }
    }
    return bill;
}

void weigh(TierChoice& choice, const Bill& bill, const spec::CostSpec& costs, double busy)
{
    const double gpus = choice.gpus;
    const auto rest = costs.node.power * bill.nodes + costs.memory_TB.power * bill.memory_TB +
                      costs.drive.power * bill.drives;
    choice.peak = costs.gpu.power * gpus + rest;
    const auto mean = (costs.gpu_idle + (costs.gpu.power - costs.gpu_idle) * busy) * gpus + rest;
    choice.energy = mean.base() * choice.job.base();
    choice.capital = costs.gpu.price * gpus + costs.node.price * bill.nodes +
                     costs.memory_TB.price * bill.memory_TB + costs.drive.price * bill.drives;
    const auto electricity = costs.kilowatt_hour * (mean.base() / 1e3);
    choice.hourly = choice.capital * (kHour / (costs.years * kYear)) + electricity;
    choice.whole = choice.hourly * (choice.job.base() / kHour);
}

TierChoice choice_of(const spec::ExperimentSpec& experiment, const spec::CostSpec& costs,
                     double tokens, const SimulateOne& simulate)
{
    TierChoice choice;
    choice.gpus = ranks_of(experiment);
    const auto& offload = experiment.workload.offload;
    choice.policy = offload ? offload->name : kNoPolicy;
    choice.fits = is_valid(experiment) && fit(experiment).fits();
    if (!choice.fits) {
        return choice;
    }
    const auto result = simulate(experiment);
    const auto& work = experiment.workload;
    choice.step = result.step;
    choice.job = result.step * (tokens / static_cast<double>(work.global_batch * work.sequence));
    for (const auto& use : result.tiers) {
        choice.years = std::max(choice.years, use.years);
    }
    weigh(choice, bill_of(experiment, result), costs, utilisation(result));
    return choice;
}

std::string words(const TierChoice& choice)
{
    return fmt::format("{} GPU{}{}", choice.gpus, choice.gpus == 1 ? "" : "s",
                       choice.policy == kNoPolicy ? std::string{} : " with " + choice.policy);
}

/// Of those with or without a policy that fit, the one with the least of something.
template <class Amount>
const TierChoice* least(const Frontier& frontier, bool plain, Amount amount)
{
    const TierChoice* best = nullptr;
    for (const auto& choice : frontier.choices) {
        const bool counts = choice.fits && (choice.policy == kNoPolicy) == plain;
        if (counts && (best == nullptr || amount(choice) < amount(*best))) {
            best = &choice;
        }
    }
    return best;
}

std::string compared(const TierChoice& tiered, const TierChoice& plain)
{
    return fmt::format(
        "{} against {}: {:.2f} x the job's cost, {:.2f} x its time,\n"
        "                 {:.2f} x the peak power, {:.2f} x the energy, {:.2f} x the price",
        words(tiered), words(plain), tiered.whole / plain.whole, tiered.job / plain.job,
        tiered.peak / plain.peak, tiered.energy / plain.energy, tiered.capital / plain.capital);
}

}  // namespace

Frontier tier_frontier(const spec::ExperimentSpec& experiment,
                       const std::vector<spec::OffloadSpec>& policies, const spec::CostSpec& costs,
                       double tokens, const SimulateOne& simulate)
{
    auto base = experiment;
    base.workload.offload.reset();
    Frontier frontier;
    for (int divisor = 1; divisor <= base.workload.plan.data; divisor *= 2) {
        if (base.workload.plan.data % divisor != 0) {
            break;
        }
        const auto smaller = on_fewer(base, divisor);
        frontier.choices.push_back(choice_of(smaller, costs, tokens, simulate));
        for (const auto& policy : policies) {
            frontier.choices.push_back(choice_of(under(smaller, policy), costs, tokens, simulate));
        }
    }
    return frontier;
}

std::string verdict(const Frontier& frontier)
{
    const auto by_cost = [](const TierChoice& choice) { return choice.whole.base(); };
    const auto by_price = [](const TierChoice& choice) { return choice.capital.base(); };
    const auto* plain = least(frontier, true, by_cost);
    const auto* tiered = least(frontier, false, by_cost);
    if (plain == nullptr && tiered == nullptr) {
        return "Nothing fits: more GPUs, or larger tiers.";
    }
    if (plain == nullptr) {
        return fmt::format(
            "Tiering is the only choice here: {} is the cheapest, and without it "
            "nothing fits.",
            words(*tiered));
    }
    if (tiered == nullptr) {
        return fmt::format(
            "The cluster is the only choice: {} is the cheapest, and no policy "
            "fits.",
            words(*plain));
    }
    const bool tiers_win = tiered->whole < plain->whole;
    return fmt::format(
        "{}\n  cheapest job:  {}\n  least to buy:  {}",
        tiers_win ? "Tiering is the better choice:"
                  : "The cluster is the better choice, unless what may be bought or drawn is "
                    "limited:",
        compared(*tiered, *plain),
        compared(*least(frontier, false, by_price), *least(frontier, true, by_price)));
}

}  // namespace sim::sweep
