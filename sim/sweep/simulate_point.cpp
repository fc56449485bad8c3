#include <memory>
#include <new>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "replay/prepared.hpp"
#include "results/economics.hpp"
#include "sweep/execute.hpp"
#include "sweep/fit.hpp"

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

/// The base the point is made from, taken out of its settings.
std::string take_base(std::vector<config::Override>& settings, const std::string& usual)
{
    for (auto setting = settings.begin(); setting != settings.end(); ++setting) {
        if (setting->key == spec::kBaseKey) {
            const auto path = setting->text;
            settings.erase(setting);
            return path;
        }
    }
    return usual;
}

}  // namespace

config::LoadedExperiment load_point(const config::LoadedSweep& sweep,
                                    std::vector<config::Override> settings,
                                    config::ParsedFiles& files)
{
    const auto path = take_base(settings, sweep.spec.bases.front().path);
    settings.insert(settings.begin(), sweep.overrides.begin(), sweep.overrides.end());
    return config::load_experiment(path, settings, files);
}

Steps real_steps(const config::LoadedSweep& sweep, const replay::Options& options)
{
    // Every worker process has its own of what its points share.
    Steps steps;
    steps.load = [sweep, files = std::make_shared<config::ParsedFiles>()](
                     const std::vector<config::Override>& settings) {
        return load_point(sweep, settings, *files).spec;
    };
    steps.simulate = [options, prepared = std::make_shared<replay::Prepared>()](
                         const spec::ExperimentSpec& experiment) {
        return replay::run(experiment, options, *prepared);
    };
    return steps;
}

bool depends_on_seed(const spec::ExperimentSpec& experiment)
{
    return spec::depends_on_seed(experiment.cluster);
}

results::Point simulate_point(const spec::ExperimentSpec& experiment, const Steps& steps,
                              const PointOptions& options)
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
    const int runs = depends_on_seed(experiment) ? options.seeds : 1;
    for (int r = 0; r < runs; ++r) {
        with_seed.seed = experiment.seed + static_cast<std::uint64_t>(r);
        point.runs.push_back({with_seed.seed, steps.simulate(with_seed)});
    }
    point.metrics = results::metric_values(experiment, point);
    return point;
}

results::Point attempt(const std::vector<config::Override>& settings, const Steps& steps,
                       const PointOptions& options)
{
    try {
        return simulate_point(steps.load(settings), steps, options);
    } catch (const InputError& error) {
        return failed(one_line(error.diagnostics()));
    } catch (const ContractViolation& error) {
        return failed(std::string{"a bug of Weftsim, please report it: "} + error.what());
    } catch (const std::bad_alloc&) {
        return failed("needs more memory than a worker may have (--memory) or the machine has");
    } catch (const std::runtime_error& error) {  // the world, or an engine that stalled
        return failed(error.what());
    }
}

}  // namespace sim::sweep
