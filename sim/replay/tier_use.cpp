#include "replay/tier_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "memory/ssd.hpp"
#include "workload/residence.hpp"

namespace sim::replay
{

namespace
{

using spec::DataTier;

/// GPUs that share each tier of a node, and what it has.
struct Shared {
    std::string name{};
    Bytes capacity{};
    std::int64_t gpus = 0;
};

std::int64_t gpus_of_fullest_socket(const spec::HostSpec& host)
{
    std::vector<std::int64_t> gpus(static_cast<std::size_t>(host.sockets), 0);
    for (const int socket : host.socket_of_gpu) {
        ++gpus[static_cast<std::size_t>(socket)];
    }
    return *std::max_element(gpus.begin(), gpus.end());
}

Shared shared_dram(const spec::HostSpec& host, std::int64_t gpus)
{
    const auto& dram = *host.dram;
    const std::int64_t sockets = std::max(host.sockets, 1);  // 0: the node is not told apart
    if (sockets == 1 || dram.pages == spec::Pages::interleaved) {
        return {"host memory of a node", dram.capacity * sockets, gpus};
    }
    return {"host memory of a socket", dram.capacity, std::min(gpus, gpus_of_fullest_socket(host))};
}

/// By DataTier; without a name: the machine has none.
std::array<Shared, spec::kDataTiers> shared_tiers(const spec::ExperimentSpec& experiment)
{
    const auto& cluster = experiment.cluster;
    const auto& host = cluster.node.host;
    const auto& plan = experiment.workload.plan;
    const std::int64_t ranks =
        experiment.trace ? spec::placed_gpus(cluster)
                         : std::int64_t{plan.tensor} * plan.context * plan.pipeline * plan.data;
    const auto gpus = std::min<std::int64_t>(cluster.node.gpus, ranks);
    std::array<Shared, spec::kDataTiers> shared;
    if (host.dram) {
        shared[static_cast<std::size_t>(DataTier::dram)] = shared_dram(host, gpus);
    }
    if (host.pool) {
        const std::int64_t nodes = host.pool->nodes == 0 ? cluster.nodes : host.pool->nodes;
        shared[static_cast<std::size_t>(DataTier::pool)] = {"a pool", host.pool->capacity,
                                                            nodes * gpus};
    }
    if (host.storage) {
        shared[static_cast<std::size_t>(DataTier::storage)] = {
            "the drives of a node",
            host.storage->drive.capacity * std::int64_t{host.storage->count}, gpus};
    }
    if (host.files) {
        shared[static_cast<std::size_t>(DataTier::files)] = {"the file system",
                                                             host.files->capacity, ranks};
    }
    return shared;
}

struct Moved {
    double read = 0;
    double written = 0;
    double in_the_mean = 0;  ///< written, of steps of which not every one saves
};
using MovedByTier = std::array<Moved, spec::kDataTiers>;

void count_copy(MovedByTier& moved, const workload::Copy& copy, int saves_every)
{
    const auto bytes = static_cast<double>(copy.size.base());
    const auto of = [&](DataTier tier) -> Moved& { return moved[static_cast<std::size_t>(tier)]; };
    if (copy.from == copy.to) {  // the cores' work: bytes in all
        of(copy.from).read += bytes / 2;
        of(copy.to).written += bytes / 2;
        return;
    }
    of(copy.from).read += bytes;
    of(copy.to).written += bytes;
    of(copy.to).in_the_mean +=
        copy.purpose == workload::Purpose::checkpoint ? bytes / saves_every : bytes;
    if (copy.through_dram && copy.from != DataTier::dram && copy.to != DataTier::dram) {
        of(DataTier::dram).read += bytes;
        of(DataTier::dram).written += bytes;
    }
}

MovedByTier moved_by(const workload::Program& program, int saves_every)
{
    MovedByTier moved;
    for (const auto& stream : program.streams) {
        for (const auto& task : stream.tasks) {
            if (task.kind == workload::TaskKind::copy) {
                count_copy(moved, program.copies[task.payload], saves_every);
            }
        }
    }
    return moved;
}

/// Of each tier by as many neighbouring ranks as share one, those that move most.
MovedByTier most_moved(const workload::TaskGraph& graph,
                       const std::array<Shared, spec::kDataTiers>& shared, int saves_every)
{
    std::vector<MovedByTier> by_program;
    for (const auto& program : graph.programs) {
        by_program.push_back(moved_by(program, saves_every));
    }
    MovedByTier most;
    for (std::size_t tier = 0; tier < spec::kDataTiers; ++tier) {
        const auto sharers = static_cast<std::size_t>(std::max<std::int64_t>(shared[tier].gpus, 1));
        Moved sum;
        for (std::size_t rank = 0; rank < graph.ranks(); ++rank) {
            sum = rank % sharers == 0 ? Moved{} : sum;
            const auto& moved = by_program[graph.program_of_rank[rank].index()][tier];
            sum.read += moved.read;
            sum.written += moved.written;
            sum.in_the_mean += moved.in_the_mean;
            if (sum.read + sum.written > most[tier].read + most[tier].written) {
                most[tier] = sum;
            }
        }
    }
    return most;
}

double years_of_drives(const spec::StorageSpec& storage, double written, Time step)
{
    constexpr double kYear = 365 * 86400.0;
    const auto each = Bytes::of(static_cast<std::int64_t>(written / storage.count));
    if (each <= Bytes{} || storage.drive.endurance.drive_writes_per_day <= 0) {
        return 0;
    }
    return memory::worn_after(storage.drive, each, step, false).base() / kYear;
}

}  // namespace

std::vector<HeldTogether> held_together(const spec::ExperimentSpec& experiment, std::size_t stage)
{
    const auto shared = shared_tiers(experiment);
    const auto all_held = workload::held_elsewhere(experiment.workload);
    std::vector<HeldTogether> together;
    for (const auto& held : all_held.at(stage)) {
        const auto& by = shared[static_cast<std::size_t>(held.tier)];
        if (!by.name.empty()) {
            together.push_back(
                {held.tier, by.name, by.capacity, held.what, held.bytes * by.gpus, by.gpus});
        }
    }
    return together;
}

memory::TierLedger node_tiers(const spec::ExperimentSpec& experiment, std::size_t stage)
{
    const auto shared = shared_tiers(experiment);
    std::vector<memory::Tier> tiers;
    std::array<std::size_t, spec::kDataTiers> place{};
    for (std::size_t tier = 0; tier < spec::kDataTiers; ++tier) {
        if (!shared[tier].name.empty()) {
            place[tier] = tiers.size();
            tiers.push_back({shared[tier].name, shared[tier].capacity});
        }
    }
    memory::TierLedger ledger{tiers};
    for (const auto& held : held_together(experiment, stage)) {
        ledger.hold({fmt::format("{} of {} GPU{}", held.what, held.gpus, held.gpus == 1 ? "" : "s"),
                     place[static_cast<std::size_t>(held.tier)], held.bytes, Time{}, Time::of(1)});
    }
    return ledger;
}

std::vector<memory::Shortage> tier_shortages(const spec::ExperimentSpec& experiment)
{
    const auto& workload = experiment.workload;
    if (experiment.trace || (!workload.offload && !workload.input && !workload.checkpoint)) {
        return {};
    }
    std::vector<memory::Shortage> worst;
    const auto stages = static_cast<std::size_t>(workload.plan.pipeline);
    for (std::size_t stage = 0; stage < stages; ++stage) {
        for (const auto& found : node_tiers(experiment, stage).shortages()) {
            const auto same = std::find_if(
                worst.begin(), worst.end(),
                [&](const memory::Shortage& known) { return known.tier == found.tier; });
            if (same == worst.end()) {
                worst.push_back(found);
            } else if (found.needs > same->needs) {
                *same = found;
            }
        }
    }
    return worst;
}

std::vector<TierUse> tier_use(const spec::ExperimentSpec& experiment,
                              const workload::TaskGraph& graph, Time step)
{
    const auto shared = shared_tiers(experiment);
    const auto& saved = experiment.workload.checkpoint;
    const auto moved = most_moved(graph, shared, saved ? saved->every : 1);
    std::array<Bytes, spec::kDataTiers> held{};
    if (!experiment.trace) {
        for (const auto& stage : workload::held_elsewhere(experiment.workload)) {
            std::array<Bytes, spec::kDataTiers> of_stage{};
            for (const auto& one : stage) {
                of_stage[static_cast<std::size_t>(one.tier)] += one.bytes;
            }
            for (std::size_t tier = 0; tier < spec::kDataTiers; ++tier) {
                held[tier] = std::max(held[tier], of_stage[tier]);
            }
        }
    }
    std::vector<TierUse> uses;
    for (std::size_t tier = 1; tier < spec::kDataTiers; ++tier) {
        const auto& by = shared[tier];
        const bool used = held[tier] > Bytes{} || moved[tier].read > 0 || moved[tier].written > 0;
        if (by.name.empty() || !used) {
            continue;
        }
        TierUse use{.name = by.name,
                    .capacity = by.capacity,
                    .held = held[tier] * by.gpus,
                    .read = moved[tier].read,
                    .written = moved[tier].written,
                    .tier = static_cast<DataTier>(tier),
                    .gpus = by.gpus};
        if (use.tier == DataTier::storage) {
            use.years = years_of_drives(*experiment.cluster.node.host.storage,
                                        moved[tier].in_the_mean, step);
        }
        uses.push_back(use);
    }
    return uses;
}

}  // namespace sim::replay
