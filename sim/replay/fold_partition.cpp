#include "replay/fold_partition.hpp"

#include <cmath>
#include <utility>

#include "core/fingerprint.hpp"

namespace sim::replay
{

namespace
{

/// Consumptions are added up as whole numbers, so that the order of a sum cannot part two classes:
/// units of 1e-12, and odd, so that a factor keeps every bit of the colour it multiplies.
constexpr double kUnits = 1099511627775.0;

std::uint64_t whole(double consumption)
{
    return static_cast<std::uint64_t>(std::llround(consumption * kUnits));
}

/// Words in an order that matters.
template <class... Words>
Colour colour_of(Words... words)
{
    Fingerprint print;
    (print.add(words), ...);
    return print.value();
}

class Refinement
{
public:
    Refinement(const Machine& machine, const FoldStructure& structure);

    void round();
    [[nodiscard]] std::size_t count() const;
    [[nodiscard]] Partition partition() const;

private:
    void colour_plan(std::size_t communicator, const FoldPlan& plan);
    void colour_flows();
    void colour_resources();
    void colour_communicators();
    void colour_ranks();
    [[nodiscard]] Colour colour_copy(const FoldCopy& copy) const;

    const Machine& machine_;
    const FoldStructure& structure_;
    std::vector<Colour> ranks_;
    std::vector<Colour> communicators_;
    std::vector<Colour> flows_;
    std::vector<Colour> resources_;
    std::vector<Colour> sums_;  ///< scratch, by resource
};

Refinement::Refinement(const Machine& machine, const FoldStructure& structure)
    : machine_{machine}, structure_{structure}, sums_(machine.resources().size())
{
    const auto& job = structure.job();
    for (const auto program : job.program_of_rank) {
        ranks_.push_back(colour_of(program.index()));
    }
    for (std::size_t c = 0; c < job.communicators.size(); ++c) {
        communicators_.push_back(colour_of(static_cast<unsigned>(job.communicators[c].purpose)));
        for (const auto& plan : structure.plans(c)) {
            colour_plan(c, plan);
        }
    }
    for (const auto& flow : structure.flows()) {
        flows_.push_back(flow.look);
    }
    for (const auto& resource : machine.resources()) {
        auto colour =
            colour_of(static_cast<unsigned>(resource.kind), resource.capacity, resource.bundle);
        for (const auto& change : machine.schedule(resource.id)) {
            colour = colour_of(colour, change.at.base(), change.capacity);
        }
        resources_.push_back(colour);
    }
}

void Refinement::colour_plan(std::size_t communicator, const FoldPlan& plan)
{
    const auto& lowered = *plan.lowered;
    const auto which = colour_of(static_cast<unsigned>(plan.asked->kind), plan.asked->size.base());
    const auto binding = lowered.binding ? static_cast<int>(*lowered.binding) : -1;
    auto& colour = communicators_[communicator];
    colour = colour_of(colour, which, lowered.phases.size(), binding);
    // What a member sends decides nothing, but is reported by class.
    const auto members = structure_.members(communicator);
    for (std::size_t m = 0; m < lowered.traffic.size(); ++m) {
        const auto& sent = lowered.traffic[m];
        ranks_[members[m].rank.index()] += colour_of(
            members[m].slot, which, std::llround(sent.bytes), std::llround(sent.nic_bytes));
    }
}

void Refinement::colour_flows()
{
    for (std::size_t f = 0; f < flows_.size(); ++f) {
        const auto& flow = structure_.flows()[f];
        Colour sum = 0;
        for (const auto& use : flow.uses) {
            sum += resources_[use.resource.index()] * whole(use.consumption);
        }
        flows_[f] = colour_of(flows_[f], communicators_[flow.communicator.index()], sum);
    }
}

void Refinement::colour_resources()
{
    sums_.assign(sums_.size(), 0);
    for (std::size_t f = 0; f < flows_.size(); ++f) {
        for (const auto& use : structure_.flows()[f].uses) {
            sums_[use.resource.index()] += flows_[f] * whole(use.consumption);
        }
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const auto gpu = machine_.gpu_of(RankId{rank});
        sums_[machine_.sm(gpu).index()] += ranks_[rank];
        sums_[machine_.hbm(gpu).index()] += ranks_[rank];
        for (const auto& copy : structure_.copies(rank)) {
            const auto colour = colour_of(ranks_[rank], copy.payload);
            for (const auto& use : copy.lowered->uses) {
                sums_[use.resource.index()] += colour * whole(use.consumption);
            }
        }
    }
    for (std::size_t r = 0; r < resources_.size(); ++r) {
        resources_[r] = colour_of(resources_[r], sums_[r]);
    }
}

void Refinement::colour_communicators()
{
    for (std::size_t c = 0; c < communicators_.size(); ++c) {
        Colour sum = 0;
        for (const auto& member : structure_.members(c)) {
            sum += colour_of(ranks_[member.rank.index()], member.slot);
        }
        communicators_[c] = colour_of(communicators_[c], sum);
    }
    for (std::size_t f = 0; f < flows_.size(); ++f) {
        communicators_[structure_.flows()[f].communicator.index()] += mix(flows_[f], 0);
    }
}

void Refinement::colour_ranks()
{
    const auto& job = structure_.job();
    const auto* slots = job.slots.data();
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank, slots += job.slots_per_rank) {
        const auto gpu = machine_.gpu_of(RankId{rank});
        auto colour = colour_of(ranks_[rank], resources_[machine_.sm(gpu).index()],
                                resources_[machine_.hbm(gpu).index()]);
        for (std::uint32_t slot = 0; slot < job.slots_per_rank; ++slot) {
            const bool none = slots[slot] == workload::kNoCommunicator;
            colour = mix(colour, none ? 0 : communicators_[slots[slot]]);
        }
        for (const auto& copy : structure_.copies(rank)) {
            colour = mix(colour, colour_copy(copy));
        }
        ranks_[rank] = colour;
    }
}

/// By where it goes; amounts are the program's.
Colour Refinement::colour_copy(const FoldCopy& copy) const
{
    Colour sum = 0;
    for (const auto& use : copy.lowered->uses) {
        sum += resources_[use.resource.index()] * whole(use.consumption);
    }
    return colour_of(sum, copy.lowered->latency.base());
}

void Refinement::round()
{
    colour_flows();
    colour_resources();
    colour_communicators();
    colour_ranks();
}

std::size_t Refinement::count() const
{
    return count_classes(ranks_) + count_classes(communicators_) + count_classes(flows_) +
           count_classes(resources_);
}

Partition Refinement::partition() const
{
    return {classes(ranks_), classes(communicators_), classes(flows_), classes(resources_)};
}

}  // namespace

Partition partition(const Machine& machine, const FoldStructure& structure)
{
    Refinement refinement{machine, structure};
    // Colours only ever part, so when a round leaves their number nothing can part any more.
    for (std::size_t before = 0, now = refinement.count(); now != before;) {
        refinement.round();
        before = std::exchange(now, refinement.count());
    }
    return refinement.partition();
}

}  // namespace sim::replay
