#include <algorithm>
#include <cmath>

#include "workload/offload_tasks.hpp"
#include "workload/residence.hpp"

// What an OffloadTasks does at the end of a step.

namespace sim::workload
{

namespace
{

using spec::DataTier;

/// Beyond these a finer pipeline gains nothing that matters.
constexpr std::int64_t kMostPieces = 64;

Bytes times(double each, std::int64_t parameters)
{
    return Bytes::of(std::llround(each * static_cast<double>(parameters)));
}

std::vector<Dependence> with(std::span<const Dependence> some, const Dependence& another)
{
    std::vector<Dependence> all{some.begin(), some.end()};
    all.push_back(another);
    return all;
}

}  // namespace

/// As many equal parts as one buffer each holds.
std::vector<std::int64_t> OffloadTasks::pieces(std::int64_t parameters, double bytes) const
{
    const double whole = bytes * static_cast<double>(parameters);
    const auto buffers = whole / static_cast<double>(buffer_.base());
    const auto wanted = static_cast<std::int64_t>(std::ceil(std::min(1e9, buffers)));
    const auto count = std::clamp<std::int64_t>(wanted, 1, kMostPieces);
    std::vector<std::int64_t> parts;
    for (std::int64_t part = 0; part < count; ++part) {
        parts.push_back(parameters / count + (part < parameters % count ? 1 : 0));
    }
    return parts;
}

/// What an update of the first `updated` parameters waits for: the last gradient and the norm of
/// all, or, overlapped, its own gradients.
std::vector<Dependence> OffloadTasks::gradients_of(std::int64_t updated,
                                                   std::span<const Dependence> ready) const
{
    if (arrivals_.empty()) {
        return {ready.begin(), ready.end()};
    }
    if (!offload_.overlapped_update) {
        return with(ready, arrivals_.back().copy);
    }
    const auto arrived =
        std::find_if(arrivals_.begin(), arrivals_.end(),
                     [&](const Arrival& arrival) { return arrival.parameters >= updated; });
    return {arrived == arrivals_.end() ? arrivals_.back().copy : arrived->copy};
}

std::int64_t OffloadTasks::update(std::int64_t owned, std::span<const Dependence> ready)
{
    const auto away = std::llround(offload_.optimizer.away() * static_cast<double>(owned));
    if (away > 0 && offload_.update_on_host) {
        update_on_host(away, ready);
    } else if (away > 0) {
        update_from_tier(away, ready);
    }
    return owned - away;
}

/// Gradients are read; where losses are scaled they are first scaled back in place.
void OffloadTasks::update_on_host(std::int64_t parameters, std::span<const Dependence> ready)
{
    const double state = workload_.framework.optimizer_state_bytes;
    const bool staged = is_far(offload_.optimizer.tier);
    const bool gradients_staged = is_far(offload_.gradients.tier);
    const double read =
        (staged ? state : 0) + (gradients_staged ? static_cast<double>(gradient_bytes()) : 0);
    const auto touched =
        2 * state +
        static_cast<double>(shard_.element + kHostGradient * (workload_.loss_scaling ? 3 : 1));
    const auto far = staged ? offload_.optimizer.tier : offload_.gradients.tier;
    const auto count = static_cast<std::size_t>(offload_.buffers.count);
    std::vector<Dependence> freed;  // buffers of pieces, in order
    std::int64_t done = 0;
    for (const auto piece : pieces(parameters, state)) {
        done += piece;
        auto after = gradients_of(done, ready);
        if (arrivals_.empty()) {
            after = {copies_.write("gradients leave",
                                   {.from = DataTier::hbm,
                                    .to = DataTier::dram,
                                    .size = Bytes::of(shard_.gradient * piece)},
                                   after)};
        }
        if (read > 0) {
            if (freed.size() >= count) {
                after.push_back(freed[freed.size() - count]);
            }
            if (staged) {  // what the step before wrote
                after.push_back(
                    {copies_.stream("state write"), static_cast<std::uint32_t>(freed.size()), 1});
            }
            after = {copies_.write("state read",
                                   {.from = far, .to = DataTier::dram, .size = times(read, piece)},
                                   after)};
        }
        const auto updated = copies_.write(
            "host update",
            {.from = DataTier::dram, .to = DataTier::dram, .size = times(touched, piece)}, after);
        freed.push_back(staged ? copies_.write("state write",
                                               {.from = DataTier::dram,
                                                .to = offload_.optimizer.tier,
                                                .size = times(state, piece)},
                                               {&updated, 1})
                               : updated);
        weights_return(piece, updated);
    }
}

/// To where the next step looks for them.
void OffloadTasks::weights_return(std::int64_t parameters, const Dependence& updated)
{
    const auto element = static_cast<double>(shard_.element);
    const double away = offload_.weights.away();
    updated_ = {updated};
    if (away < 1) {
        updated_.push_back(copies_.write("weights return",
                                         {.from = DataTier::dram,
                                          .to = DataTier::hbm,
                                          .size = times(element * (1 - away), parameters)},
                                         {&updated, 1}));
    }
    if (away > 0 && is_far(offload_.weights.tier)) {
        updated_.push_back(copies_.write("weight write",
                                         {.from = DataTier::dram,
                                          .to = offload_.weights.tier,
                                          .size = times(element * away, parameters)},
                                         {&updated, 1}));
    }
}

/// State comes, is updated and leaves, a buffer at a time.
void OffloadTasks::update_from_tier(std::int64_t parameters, std::span<const Dependence> ready)
{
    const double state = workload_.framework.optimizer_state_bytes;
    const double gradients = offload_.gradients.away() * static_cast<double>(shard_.gradient);
    const auto tier = offload_.optimizer.tier;
    const auto count = static_cast<std::size_t>(offload_.buffers.count);
    std::vector<Dependence> freed;
    std::int64_t done = 0;
    for (const auto piece : pieces(parameters, state)) {
        done += piece;
        auto after = gradients_of(done, ready);
        if (freed.size() >= count) {
            after.push_back(freed[freed.size() - count]);
        }
        after.push_back(
            {copies_.stream("state write"), static_cast<std::uint32_t>(freed.size()), 1});
        writer_.await(copies_.write(
            "state read", {.from = tier, .to = DataTier::hbm, .size = times(state, piece)}, after));
        if (gradients > 0) {
            writer_.await(copies_.write("gradient fetch",
                                        {.from = offload_.gradients.tier,
                                         .to = DataTier::hbm,
                                         .size = times(gradients, piece)},
                                        gradients_of(done, ready)));
        }
        spec::Operation update;
        update.precision = workload_.precision;
        update.bytes =
            workload_.framework.optimizer_bytes_per_parameter * static_cast<double>(piece);
        const auto kernel = writer_.append(
            {writer_.compute(), TaskKind::kernel, writer_.builder().kernel("optimizer", update)});
        freed.push_back(copies_.write(
            "state write", {.from = DataTier::hbm, .to = tier, .size = times(state, piece)},
            {&kernel, 1}));
        const double away = offload_.weights.away();
        if (away > 0) {
            updated_ = {
                copies_.write("weight write",
                              {.from = DataTier::hbm,
                               .to = offload_.weights.tier,
                               .size = times(static_cast<double>(shard_.element) * away, piece)},
                              {&kernel, 1})};
        }
    }
}

}  // namespace sim::workload
