#include "sweep/execute.hpp"

#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "results/schema.hpp"
#include "sweep/fit.hpp"
#include "sweep/grid.hpp"

namespace sim::sweep
{
namespace
{

results::Point failed(std::string message)
{
    results::Point point;
    point.status = results::Status::failed;
    point.message = std::move(message);
    return point;
}

/// A line of a table has no place for carets.
std::string one_line(const Diagnostics& diagnostics)
{
    std::string text;
    for (const auto& diagnostic : diagnostics) {
        text += (text.empty() ? "" : "; ") + diagnostic.key + ": " + diagnostic.message;
    }
    return text;
}

results::Point attempt(const std::vector<config::Override>& settings, int seeds, const Steps& steps,
                       const Options& options)
{
    try {
        return simulate_point(steps.load(settings), seeds, steps, options);
    } catch (const InputError& error) {
        return failed(one_line(error.diagnostics()));
    } catch (const Error& error) {
        return failed(error.what());
    } catch (const engine::Stalled& stalled) {
        return failed(stalled.what());
    }
}

}  // namespace

Steps real_steps(const config::LoadedSweep& sweep, const replay::Options& options)
{
    Steps steps;
    steps.load = [base = sweep.base_path,
                  common = sweep.overrides](const std::vector<config::Override>& settings) {
        auto overrides = common;
        overrides.insert(overrides.end(), settings.begin(), settings.end());
        return config::load_experiment(base, overrides).spec;
    };
    steps.simulate = [options](const spec::ExperimentSpec& experiment) {
        return replay::run(experiment, options);
    };
    steps.progress = [](std::size_t, std::size_t) {};
    return steps;
}

bool depends_on_seed(const spec::ExperimentSpec& experiment)
{
    return spec::depends_on_seed(experiment.cluster);
}

results::Point simulate_point(const spec::ExperimentSpec& experiment, int seeds, const Steps& steps,
                              const Options& options)
{
    results::Point point;
    const auto memory = fit(experiment);
    point.footprint = memory.stages;
    point.gpu_memory = memory.gpu_memory;
    if (!memory.fits() && !options.ignore_memory) {
        point.status = results::Status::does_not_fit;
        point.message = shortage(memory);
        return point;
    }
    auto with_seed = experiment;
    const int runs = depends_on_seed(experiment) ? seeds : 1;
    for (int r = 0; r < runs; ++r) {
        with_seed.seed = experiment.seed + static_cast<std::uint64_t>(r);
        point.runs.push_back({with_seed.seed, steps.simulate(with_seed)});
    }
    return point;
}

results::ResultSet execute(const spec::SweepSpec& sweep, const Steps& steps, const Options& options)
{
    const auto settings = grid(sweep.axes);
    results::ResultSet set;
    set.kind = results::Kind::sweep;
    set.axes = sweep.axes;
    set.points.assign(settings.size(), failed("not simulated"));
    // Refuses axis names that cannot be written before hours of work, not after.
    static_cast<void>(results::describe(set));
    for (std::size_t p = 0; p < settings.size(); ++p) {
        set.points[p] = attempt(settings[p], sweep.seeds, steps, options);
        steps.progress(p + 1, settings.size());
    }
    return set;
}

}  // namespace sim::sweep
