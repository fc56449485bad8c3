#include "replay/simulate.hpp"

#include <fmt/core.h>

#include "core/diagnostics.hpp"
#include "engine/isolated.hpp"
#include "replay/executor.hpp"
#include "replay/machine.hpp"
#include "replay/report.hpp"
#include "replay/result_bytes.hpp"

namespace sim::replay
{

namespace
{

void check(const Job& job)
{
    Diagnostics diagnostics;
    const auto gpus = static_cast<std::size_t>(spec::gpu_count(job.cluster));
    if (job.graph.ranks() > gpus) {
        Diagnostic diagnostic;
        diagnostic.key = "workload";
        diagnostic.message =
            fmt::format("has {} ranks but the cluster has {} GPUs", job.graph.ranks(), gpus);
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

}  // namespace

Result simulate(const Job& job, engine::Engine& engine)
{
    check(job);
    const Machine machine{job.cluster, engine, job.seed};
    Executor executor{machine, job.graph, engine, static_cast<std::uint32_t>(job.steps)};
    executor.run();
    return report(job, machine, executor);
}

Result run(const Job& job, const Options& options)
{
    const auto work = [&] { return simulate(job, *engine::make_engine(options.engine)); };
    auto result = options.engine == engine::Kind::simgrid
                      ? from_bytes(engine::in_child([&] { return to_bytes(work()); }))
                      : work();
    result.engine_options = engine::engine_options(options.engine);
    return result;
}

}  // namespace sim::replay
