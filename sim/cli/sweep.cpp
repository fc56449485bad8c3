#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/sweep_options.hpp"
#include "cli/sweep_plan.hpp"
#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "results/file.hpp"
#include "results/version.hpp"
#include "sweep/mpi_crew.hpp"
#include "sweep/objective.hpp"
#include "sweep/plans.hpp"
#include "sweep/search.hpp"

namespace sim::cli
{
namespace
{

namespace fs = std::filesystem;

constexpr int kSignalBase = 128;

/// A folder for the points of a sweep that nobody wants a file of; gone at the end.
class Scratch
{
public:
    Scratch()
    {
        auto pattern = (fs::temp_directory_path() / "weftsim-sweep-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw Error{fmt::format("cannot make {}: {}", pattern, std::strerror(errno))};
        }
        path_ = pattern;
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch()
    {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    [[nodiscard]] std::string points() const { return path_ + "/points"; }

private:
    std::string path_;
};

/// The base may be no experiment without an axis's settings, so a point tells.
std::uint64_t first_seed(const results::ResultSet& set)
{
    for (const auto& point : set.points) {
        if (!point.runs.empty()) {
            return point.runs.front().seed;
        }
    }
    return 0;
}

/// What must not change between the runs of one sweep. Axes may: points have ids of their own.
sweep::Identity identity(const config::LoadedSweep& loaded, const CommonOptions& options)
{
    const auto from = provenance(options, 0, "");
    return {{"weftsim", fmt::format("{} ({})", results::version(), results::git_sha())},
            {"engine", fmt::format("{} {}", from.engine, fmt::join(from.engine_options, " "))},
            {"fold", options.fold},
            {"fidelity", options.fidelity},
            {"seeds", fmt::format("{}", loaded.spec.seeds)},
            {"ignore_memory", options.ignore_memory ? "yes" : "no"},
            {"base", loaded.base_text}};
}

config::LoadedSweep sweep_with_plans(const CommonOptions& options)
{
    auto loaded = config::load_sweep(options.file, overrides(options));
    loaded.places.around([&] {
        sweep::add_plans(loaded);
        return 0;
    });
    return loaded;
}

class Command
{
public:
    explicit Command(const SweepOptions& options)
        : options_{options},
          loaded_{sweep_with_plans(options.common)},
          output_{options.common.output.empty() ? loaded_.spec.output : options.common.output},
          space_{loaded_.places.around([&] { return sweep::Space{loaded_}; })},
          steps_{sweep::real_steps(loaded_, simulation_options(options.common))}
    {
        if (loaded_.spec.objective) {
            judge_.emplace(*loaded_.spec.objective);
        }
        sweep::check_axis_names(loaded_.spec);
    }

    int run(const sweep::MpiSession* session)
    {
        const bool first = session == nullptr || session->rank() == 0;
        const auto points = sweep::plan(space_, loaded_);
        if (options_.dry_run) {
            if (first) {
                print(plan_text(space_, loaded_, points, steps_, execution(session)));
            }
            return kDone;
        }
        if (!options_.part.empty() && output_.empty()) {
            refuse("--part", "needs a file", "write -o results/my.h5, or output: in the sweep");
        }
        tasks_ = sweep::tasks_of(space_, points);
        open_store(session);
        auto outcome = search(session);
        if (outcome.whole()) {
            outcome = execute(tasks_, session);
        }
        return first ? finish(outcome) : kDone;
    }

private:
    sweep::Outcome execute(const std::vector<sweep::Task>& tasks, const sweep::MpiSession* session)
    {
        auto outcome = options_.collect
                           ? sweep::Outcome{}
                           : sweep::execute(space_, tasks, *store_, steps_, execution(session));
        if (session != nullptr) {
            session->meet();
        }
        return outcome;
    }

    /// The coarse round, after which only the best points are left among the tasks.
    sweep::Outcome search(const sweep::MpiSession* session)
    {
        if (!loaded_.spec.search) {
            return {};
        }
        const auto coarse = sweep::coarse_tasks(tasks_, *loaded_.spec.search);
        auto outcome = execute(coarse, session);
        if (outcome.whole()) {
            const auto round = sweep::collect(loaded_, space_, coarse, *store_);
            selection_ = sweep::promising(tasks_, round, *judge_, *loaded_.spec.search);
            tasks_ = selection_.kept;
        }
        return outcome;
    }

    [[nodiscard]] sweep::Options execution(const sweep::MpiSession* session)
    {
        sweep::Options execution;
        execution.point = {loaded_.spec.seeds, options_.common.ignore_memory};
        execution.limits = limits(options_);
        execution.part = part(options_);
        execution.workers = workers(options_);
        const bool first = session == nullptr || session->rank() == 0;
        auto bar = std::make_shared<ProgressBar>("points", options_.common.quiet || !first);
        execution.progress = [this, bar](const sweep::Progress& progress) {
            bar->show(progress.done + progress.kept, progress.points, note(progress));
        };
        if (judge_) {
            execution.goal = [this](const results::Point& point) { return judge_->value(point); };
        }
        if (session != nullptr) {
            execution.workers = std::max(1, options_.workers);
            execution.crew = [session](std::vector<std::size_t> tasks) {
                return sweep::mpi_crew(*session, std::move(tasks));
            };
        }
        return execution;
    }

    /// ", 1 failed, best step_time 6.94 s": what a bar does not show.
    [[nodiscard]] std::string note(const sweep::Progress& progress) const
    {
        std::string text;
        if (progress.failed > 0) {
            text += fmt::format(", {} failed", progress.failed);
        }
        if (judge_ && !std::isnan(progress.best)) {
            text += ", best " + judge_->words(progress.best);
        }
        return text;
    }

    void open_store(const sweep::MpiSession* session)
    {
        if (output_.empty()) {
            if (session != nullptr && session->size() > 1) {
                refuse("-o", "needs a file where several ranks work on one sweep",
                       "write -o results/my.h5, or output: in the sweep");
            }
            scratch_.emplace();
        }
        const auto folder = scratch_ ? scratch_->points() : output_ + ".points";
        const bool first = session == nullptr || session->rank() == 0;
        if (first) {
            if (!output_.empty()) {
                results::check_writable(output_);
            }
            if (options_.fresh) {
                sweep::Store::discard(folder);
            }
            store_.emplace(folder, identity(loaded_, options_.common));
        }
        if (session != nullptr) {
            session->meet();
        }
        if (!first) {
            store_.emplace(folder, identity(loaded_, options_.common));
        }
    }

    int finish(const sweep::Outcome& outcome)
    {
        if (!outcome.whole()) {
            return stopped(outcome);
        }
        if (!options_.part.empty() && !everything_is_there()) {
            return kDone;  // whoever ends last makes the file
        }
        auto set = sweep::collect(loaded_, space_, tasks_, *store_);
        if (judge_) {
            sweep::give_reasons(set, selection_, *judge_);
            set.ranking = judge_->rank(set.points);
        }
        set.provenance = provenance(options_.common, first_seed(set), loaded_.input_text);
        answer(set, options_.common, output_);
        const bool all = std::all_of(set.points.begin(), set.points.end(), [](const auto& point) {
            return point.status == results::Status::done ||
                   point.status == results::Status::left_out;
        });
        return all ? kDone : kPointsFailed;
    }

    [[nodiscard]] bool everything_is_there() const
    {
        const auto known = store_->read();
        return std::all_of(tasks_.begin(), tasks_.end(),
                           [&](const auto& task) { return known.count(task.id) != 0; });
    }

    int stopped(const sweep::Outcome& outcome)
    {
        const auto why = outcome.signal != 0 ? fmt::format("stopped by {}", sigabbrev(outcome))
                                             : outcome.cannot_write;
        if (scratch_) {
            complain(fmt::format("weftsim: {}; nothing is kept, as the sweep has no output", why));
        } else {
            const auto kept = store_->settled().size();
            complain(
                fmt::format("weftsim: {}. {} of {} points are kept in {}; the same command "
                            "goes on from there, --collect makes a file of them.",
                            why, kept, tasks_.size(), store_->folder()));
        }
        return outcome.signal != 0 ? kSignalBase + outcome.signal : kWorldFailed;
    }

    static std::string sigabbrev(const sweep::Outcome& outcome)
    {
        return fmt::format("SIG{}", sigabbrev_np(outcome.signal));
    }

    const SweepOptions& options_;
    config::LoadedSweep loaded_;
    std::string output_;
    sweep::Space space_;
    sweep::Steps steps_;
    std::optional<sweep::Judge> judge_;
    std::vector<sweep::Task> tasks_;
    sweep::Selection selection_;  ///< of the search, empty without one
    std::optional<Scratch> scratch_;
    std::optional<sweep::Store> store_;
};

int do_sweep(const SweepOptions& options)
{
    apply_verbosity(options.common);
    if (!sweep::MpiSession::wanted()) {
        return Command{options}.run(nullptr);
    }
    const sweep::MpiSession session;
    try {
        return session.same_as_first(Command{options}.run(&session));
    } catch (const InputError&) {
        // Every rank finds the same mistakes; one tells them.
        if (session.rank() == 0) {
            throw;
        }
        return kInputWrong;
    }
}

}  // namespace

Action add_sweep(CLI::App& program)
{
    auto options = std::make_shared<SweepOptions>();
    auto* command =
        program.add_subcommand("sweep", "Simulate every point of a grid of experiments");
    add_input_options(*command, options->common, "The sweep, YAML");
    add_simulation_options(*command, options->common);
    add_sweep_options(*command, *options);
    command->footer(
        "Example:\n"
        "  weftsim sweep configs/sweeps/llama3-70b-400g-800g.yaml -o results/my.h5\n"
        "Without -o the file goes where the sweep's `output` says. Finished points are kept in\n"
        "FILE.points beside it: a sweep that was stopped goes on from there, and one that got\n"
        "more values simulates only those. Under mpirun the ranks share the points. Points that\n"
        "fail are told and recorded, the others go on, and the exit code is 3.");
    return [options] { return do_sweep(*options); };
}

}  // namespace sim::cli
