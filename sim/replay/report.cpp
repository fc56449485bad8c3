#include "replay/report.hpp"

#include <algorithm>
#include <array>

#include "core/contract.hpp"
#include "replay/audit.hpp"
#include "replay/rank_classes.hpp"
#include "replay/traffic.hpp"

namespace sim::replay
{

namespace
{

/// Shares below this are rounding.
constexpr double kRounding = 1e-9;

/// What one rank's kernels compute in a step, recomputation included.
double executed_flops(const workload::Program& program)
{
    double flops = 0;
    for (const auto& stream : program.streams) {
        for (const auto& task : stream.tasks) {
            if (task.kind == workload::TaskKind::kernel) {
                flops += program.kernels[task.payload].operation.flops.base();
            }
        }
    }
    return flops;
}

void report_rates(Result& result, const Job& job)
{
    const auto& graph = job.graph;
    const auto ranks = static_cast<double>(graph.ranks());
    std::vector<double> by_program;
    for (const auto& program : graph.programs) {
        by_program.push_back(executed_flops(program));
    }
    double executed = 0;
    for (const auto program : graph.program_of_rank) {
        executed += by_program[program.index()];
    }
    const auto step = result.step.base();
    if (step <= 0) {
        return;
    }
    result.tokens_per_second = static_cast<double>(graph.tokens) / step;
    result.tokens_per_second_per_gpu = result.tokens_per_second / ranks;
    result.model_flops_per_second_per_gpu = graph.model_flops.base() / step / ranks;
    const auto peak = job.cluster.node.gpu.peak.find(job.precision);
    if (peak != job.cluster.node.gpu.peak.end()) {
        result.mfu = result.model_flops_per_second_per_gpu / peak->second.base();
        result.hfu = executed / step / ranks / peak->second.base();
    }
}

void report_resources(Result& result, const std::vector<Supply>& supplies,
                      const std::vector<double>& served)
{
    std::array<ResourceClass, kResourceKinds> classes;
    const auto step = result.step.base();
    for (std::size_t i = 0; i < served.size(); ++i) {
        const auto& supply = supplies[i];
        auto& kind = classes[static_cast<std::size_t>(supply.kind)];
        const auto share = step > 0 ? served[i] / (supply.capacity * step) : 0;
        SIM_EXPECT(share <= 1 + kRounding);
        const auto members = supply.members * supply.bundle;
        if (kind.members == 0) {
            kind.capacity = supply.capacity / static_cast<double>(supply.bundle);
        }
        kind.members += members;
        kind.mean_utilisation += static_cast<double>(members) * share;
        kind.peak_utilisation = std::max(kind.peak_utilisation, share);
    }
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
        if (classes[kind].members > 0) {
            classes[kind].name = name(static_cast<ResourceKind>(kind));
            classes[kind].mean_utilisation /= static_cast<double>(classes[kind].members);
            result.resources.push_back(classes[kind]);
        }
    }
}

void expect_ledger_sums(const Ledger& ledger)
{
    for (std::uint32_t rank = 0; rank < ledger.ranks(); ++rank) {
        expect_sum(rank, ledger.entries(RankId{rank}), ledger.window());
    }
}

/// The class that sets the pace of a purpose's collectives, by the time they took on all ranks.
std::string binding_of(const Ledger& ledger, const std::vector<std::uint64_t>& ranks,
                       workload::Purpose purpose)
{
    std::array<Time, kResourceKinds> totals{};
    for (std::uint32_t i = 0; i < ledger.ranks(); ++i) {
        const auto& by_binding = ledger.purpose(RankId{i}, purpose).by_binding;
        for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
            totals[kind] += static_cast<double>(ranks[i]) * by_binding[kind];
        }
    }
    return largest(totals);
}

/// What the largest entry of all ranks' ledgers together is bound by.
std::string binding_of_step(const Ledger& ledger, const std::vector<std::uint64_t>& ranks)
{
    std::array<Time, kEntries> totals{};
    for (std::uint32_t i = 0; i < ledger.ranks(); ++i) {
        for (std::size_t entry = 0; entry < kEntries; ++entry) {
            totals[entry] += static_cast<double>(ranks[i]) * ledger.entries(RankId{i})[entry];
        }
    }
    const auto most = std::max_element(totals.begin(), totals.end()) - totals.begin();
    switch (const auto entry = static_cast<Entry>(most)) {
        case Entry::compute_math:
            return name(ResourceKind::sm);
        case Entry::compute_memory:
            return name(ResourceKind::hbm);
        case Entry::launch:
            return "kernel launch";
        case Entry::bubble:
            return "pipeline bubble";
        case Entry::straggler:
        case Entry::idle:
            return name(entry);
        default: {
            const auto first = static_cast<std::ptrdiff_t>(Entry::exposed_tensor);
            const auto purpose = static_cast<workload::Purpose>(most - first);
            const auto binding = binding_of(ledger, ranks, purpose);
            return binding.empty() ? name(entry) : binding;
        }
    }
}

}  // namespace

Result report(const Job& job, const Instances& instances, Executor& executor)
{
    const auto& ledger = executor.ledger();
    expect_ledger_sums(ledger);
    Result result;
    result.step = ledger.window();
    report_rates(result, job);
    report_resources(result, instances.supplies, executor.served());
    result.classes =
        rank_classes(instances, ledger, step_traffic(instances.graph, executor.lowering()));
    result.binding = binding_of_step(ledger, multiplicities(instances));
    result.instances = instances.graph.ranks();
    result.activities = executor.activities();
    result.fingerprint = executor.fingerprint();
    return result;
}

}  // namespace sim::replay
