#include "sweep/residence_search.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "core/diagnostics.hpp"
#include "sweep/fit.hpp"

namespace sim::sweep
{

namespace
{

using spec::DataTier;

/// What is chosen, each an index into the values it may take.
enum Choice : std::size_t {
    weights,
    gradients,
    optimizer,
    activations,
    update,
    prefetch,
    kChoices
};
using Policy = std::array<std::size_t, kChoices>;

constexpr std::array<int, 3> kAhead{1, 2, 4};
constexpr int kShares = 16;  ///< parts in which the optimiser's state is divided

/// The values of each choice on this machine, and what a policy's step is.
class Field
{
public:
    Field(const spec::ExperimentSpec& experiment, const SimulateOne& simulate)
        : experiment_{experiment}, simulate_{simulate}
    {
        const auto& host = experiment.cluster.node.host;
        tiers_ = {DataTier::hbm};
        if (host.dram) {
            tiers_.push_back(DataTier::dram);
        }
        if (host.pool) {
            tiers_.push_back(DataTier::pool);
        }
        if (host.storage) {
            tiers_.push_back(DataTier::storage);
        }
        const auto zero = experiment.workload.plan.zero;
        values_.fill(tiers_.size());
        values_[weights] = zero >= 3 ? tiers_.size() : 1;
        values_[gradients] = zero >= 2 ? tiers_.size() : 1;
        values_[update] = host.cpu && host.dram ? 2 : 1;
        values_[prefetch] = kAhead.size();
    }

    [[nodiscard]] std::size_t values(std::size_t choice) const { return values_[choice]; }
    [[nodiscard]] std::size_t tiers() const { return tiers_.size(); }
    [[nodiscard]] std::size_t simulated() const { return steps_.size(); }

    [[nodiscard]] spec::OffloadSpec offload(const Policy& policy) const
    {
        auto made = experiment_.workload.offload.value_or(spec::OffloadSpec{});
        if (!experiment_.workload.offload) {
            made.buffers.size = Bytes::of(std::int64_t{256} << 20);
            made.through_dram = experiment_.cluster.node.host.dram.has_value();
        }
        made.name = "placed";
        made.weights = {tiers_[policy[weights]], 1};
        made.gradients = {tiers_[policy[gradients]], 1};
        made.optimizer = {tiers_[policy[optimizer]], 1};
        made.activations = {tiers_[policy[activations]], 1};
        made.update_on_host = policy[update] == 1;
        made.prefetch = kAhead[policy[prefetch]];
        return made;
    }

    /// Nothing where it is no valid policy or does not fit.
    [[nodiscard]] std::optional<Time> step(const spec::OffloadSpec& offload) const
    {
        auto experiment = experiment_;
        experiment.workload.offload = offload;
        if (has_errors(spec::validate(offload, "offload")) || !fit(experiment).fits()) {
            return std::nullopt;
        }
        return simulate_(experiment).step;
    }

    [[nodiscard]] std::optional<Time> step(const Policy& policy)
    {
        const auto known = steps_.find(policy);
        if (known != steps_.end()) {
            return known->second;
        }
        return steps_.emplace(policy, step(offload(policy))).first->second;
    }

private:
    const spec::ExperimentSpec& experiment_;
    const SimulateOne& simulate_;
    std::vector<DataTier> tiers_;
    std::array<std::size_t, kChoices> values_{};
    std::map<Policy, std::optional<Time>> steps_;
};

/// All in the GPUs, all in one other tier, and state in the last with all else in the first.
std::vector<Policy> starts(const Field& field)
{
    std::vector<Policy> from;
    const auto add = [&](std::size_t state, std::size_t others) {
        Policy policy{};
        for (std::size_t choice = 0; choice < update; ++choice) {
            policy[choice] =
                std::min(choice == optimizer ? state : others, field.values(choice) - 1);
        }
        policy[update] = field.values(update) - 1;
        if (state == 0) {
            policy[update] = 0;
        }
        from.push_back(policy);
    };
    for (std::size_t tier = 0; tier < field.tiers(); ++tier) {
        add(tier, tier);
        add(tier, std::min<std::size_t>(tier, 1));
    }
    return from;
}

/// Changes one choice for the better as long as there is one.
void descend(Field& field, Policy policy, std::optional<Policy>& best)
{
    auto here = field.step(policy);
    if (!here) {
        return;
    }
    for (bool better = true; better;) {
        better = false;
        const auto from = policy;
        for (std::size_t choice = 0; choice < kChoices; ++choice) {
            for (std::size_t value = 0; value < field.values(choice); ++value) {
                auto next = from;
                next[choice] = value;
                const auto step = field.step(next);
                if (step && *step < *here) {
                    here = step;
                    policy = next;
                    better = true;
                }
            }
        }
    }
    if (!best || *here < *field.step(*best)) {
        best = policy;
    }
}

/// As little of the state away as fits, where that is faster: the rest is updated beside it.
void share_out(const Field& field, Placed& placed)
{
    if (placed.offload.optimizer.away() == 0) {
        return;
    }
    for (int part = 0; part < kShares; ++part) {
        auto offload = placed.offload;
        offload.optimizer.share = static_cast<double>(part) / kShares;
        const auto step = field.step(offload);
        if (step && *step < placed.step) {
            placed = {offload, *step};
            return;
        }
    }
}

}  // namespace

ResidenceSearch place(const spec::ExperimentSpec& experiment, const SimulateOne& simulate)
{
    Field field{experiment, simulate};
    std::optional<Policy> best;
    for (const auto& start : starts(field)) {
        descend(field, start, best);
    }
    ResidenceSearch found;
    if (best) {
        found.best = Placed{field.offload(*best), *field.step(*best)};
        share_out(field, *found.best);
    }
    found.simulated = field.simulated();
    return found;
}

ResidenceSearch place_exhaustively(const spec::ExperimentSpec& experiment,
                                   const SimulateOne& simulate)
{
    Field field{experiment, simulate};
    ResidenceSearch found;
    Policy policy{};
    for (bool more = true; more;) {
        const auto step = field.step(policy);
        if (step && (!found.best || *step < found.best->step)) {
            found.best = Placed{field.offload(policy), *step};
        }
        more = false;
        for (std::size_t choice = 0; choice < kChoices && !more; ++choice) {
            more = ++policy[choice] < field.values(choice);
            policy[choice] = more ? policy[choice] : 0;
        }
    }
    found.simulated = field.simulated();
    return found;
}

}  // namespace sim::sweep
