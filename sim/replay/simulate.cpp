#include "replay/simulate.hpp"

#include <fmt/core.h>

#include <memory>
#include <optional>
#include <utility>

#include "core/diagnostics.hpp"
#include "engine/isolated.hpp"
#include "replay/executor.hpp"
#include "replay/fold.hpp"
#include "replay/instances.hpp"
#include "replay/machine.hpp"
#include "replay/observe.hpp"
#include "replay/prepared.hpp"
#include "replay/report.hpp"
#include "replay/result_bytes.hpp"
#include "replay/timeline_recorder.hpp"

namespace sim::replay
{

namespace
{

void check(const Job& job)
{
    Diagnostics diagnostics;
    const auto gpus = static_cast<std::size_t>(spec::placed_gpus(job.cluster));
    if (job.graph.ranks() > gpus) {
        Diagnostic diagnostic;
        diagnostic.key = "workload";
        diagnostic.message =
            fmt::format("has {} ranks but the cluster has {} GPUs{}", job.graph.ranks(), gpus,
                        job.cluster.placement.order == spec::PlacementSpec::Order::listed
                            ? " on the hosts that are listed"
                            : "");
        diagnostic.hint = "add nodes to the cluster, or lower a parallel degree";
        diagnostics.push_back(diagnostic);
    }
    if (job.steps < 1) {
        Diagnostic diagnostic;
        diagnostic.key = "steps";
        diagnostic.message = fmt::format("is {}; nothing would be simulated", job.steps);
        diagnostic.hint = "write 2 or more for the steady period, 1 for the first step alone";
        diagnostics.push_back(diagnostic);
    }
    if (!diagnostics.empty()) {
        throw InputError{diagnostics};
    }
}

/// What of a job is executed, and what with.
struct Cast {
    const Machine& machine;
    const Instances& instances;
    Lowering& lowering;
    Lowering& planner;  ///< of the job itself, also when it is folded
};

Result execute(const Job& job, const Cast& cast, engine::Engine& engine)
{
    add_to(engine, cast.machine, cast.instances);
    Execution execution{static_cast<std::uint32_t>(job.steps), {}};
    if (job.audit) {
        execution.audited = audited(cast.machine, cast.instances);
    }
    execution.watched = job.watch;
    if (cast.machine.routes_change()) {
        execution.rerouting = &cast.machine;
    }
    std::optional<TimelineRecorder> recorder;
    if (job.timeline) {
        execution.recorder = &recorder.emplace(cast.instances, engine);
    }
    Executor executor{cast.instances, cast.lowering, engine, std::move(execution)};
    executor.run();
    auto result = report(job, cast.instances, executor);
    if (recorder) {
        result.timeline = recorder->take(result.classes);
    }
    if (job.watch) {
        observe(result, {cast.machine, cast.instances, job.graph, cast.planner}, executor);
    }
    return result;
}

bool uses_chunks(const spec::FidelitySpec& fidelity)
{
    const auto is_chunk = [](const std::optional<spec::Fidelity>& kind) {
        return kind == spec::Fidelity::chunk;
    };
    return is_chunk(fidelity.otherwise) || is_chunk(fidelity.all_reduce) ||
           is_chunk(fidelity.all_gather) || is_chunk(fidelity.reduce_scatter) ||
           is_chunk(fidelity.all_to_all) || is_chunk(fidelity.broadcast) ||
           is_chunk(fidelity.send_recv);
}

/// Classes are of flows, not of chunks.
bool can_fold(const Job& job) { return job.graph.ranks() > 1 && !uses_chunks(job.fidelity); }

/// An event or outage names a link of the fabric as it is built.
Links links_of(const Job& job)
{
    const bool whole = job.cluster.events.empty() && job.cluster.outages.empty();
    return whole ? Links::bundled : Links::apart;
}

std::shared_ptr<const Bundled> fabric_of(const Job& job, Links links)
{
    return job.prepared != nullptr && !job.scaling.changes_links()
               ? job.prepared->fabric(job.cluster, links)
               : std::make_shared<const Bundled>(built(job.cluster, links, job.scaling));
}

/// Why no two ranks are alike, in what the user wrote.
std::string why_not_folded(const Job& job, const Machine& machine)
{
    const auto ranks = job.graph.ranks();
    if (uses_chunks(job.fidelity)) {
        return fmt::format("not folded: collectives go chunk by chunk, {} ranks", ranks);
    }
    if (machine.routes_change()) {
        return fmt::format("not folded: routes change while the job runs, {} ranks", ranks);
    }
    const auto routing = job.cluster.fabric.routing;
    const auto* reason = routing == spec::Routing::ecmp ? "ecmp routing loads links differently"
                         : spec::takes_single_paths(routing)
                             ? "single paths load links differently"
                             : "no two ranks do the same on equal resources";
    return fmt::format("not folded: {}, {} classes of {} ranks", reason, ranks, ranks);
}

/// Chunks keep to the routes that were planned for them.
void refuse_moving_chunks(const Job& job, const Machine& machine)
{
    if (!uses_chunks(job.fidelity) || !machine.routes_change()) {
        return;
    }
    sim::refuse("fidelity",
                "goes chunk by chunk over planned routes, but routes change while this job runs",
                "write fidelity: flow, or a routing without load and no outages");
}

}  // namespace

Result simulate(const Job& job, engine::Engine& engine, Fold fold)
{
    check(job);
    const bool may_fold = fold == Fold::automatic && can_fold(job);
    const Machine machine{job.cluster, job.seed,
                          fabric_of(job, may_fold ? links_of(job) : Links::apart), job.scaling};
    const bool folding = may_fold && !machine.routes_change();
    refuse_moving_chunks(job, machine);
    Lowering lowering{machine, job.graph, job.fidelity};
    if (const auto folded = folding ? replay::fold(machine, job.graph, lowering) : nullptr) {
        auto result =
            execute(job, {machine, folded->instances(), folded->lowering(), lowering}, engine);
        result.folding = fmt::format("folded: {} class{} of {} ranks", result.instances,
                                     result.instances == 1 ? "" : "es", job.graph.ranks());
        return result;
    }
    const auto ranks = every_rank(machine, job.graph);
    auto result = execute(job, {machine, ranks, lowering, lowering}, engine);
    const bool wanted = fold == Fold::automatic && job.graph.ranks() > 1;
    result.folding = wanted ? why_not_folded(job, machine) : "not folded";
    return result;
}

Result run(const Job& job, const Options& options)
{
    auto audited = job;
    audited.audit = job.audit && options.audit;
    audited.timeline = job.timeline || options.timeline;
    audited.watch = options.watch;
    audited.scaling = options.scaling;
    const auto work = [&] {
        return simulate(audited, *engine::make_engine(options.engine), options.fold);
    };
    auto result = options.engine == engine::Kind::simgrid
                      ? from_bytes(engine::in_child([&] { return to_bytes(work()); }))
                      : work();
    result.engine_options = engine::engine_options(options.engine);
    return result;
}

}  // namespace sim::replay
