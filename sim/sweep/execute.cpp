#include "sweep/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "results/schema.hpp"
#include "sweep/crew.hpp"
#include "sweep/signals.hpp"

namespace sim::sweep
{
namespace
{

/// What a worker process does with a task.
class Simulated
{
public:
    Simulated(const Space& space, const std::vector<Task>& tasks, const Steps& steps,
              const Options& options, const std::string& folder)
        : space_{space}, tasks_{tasks}, steps_{steps}, options_{options}, shard_{folder}
    {
    }

    Reply operator()(std::size_t number)
    {
        const auto& task = tasks_[number];
        auto settings = space_.settings(task.point);
        settings.insert(settings.end(), task.extra.begin(), task.extra.end());
        const auto point = attempt(settings, steps_, options_.point);
        try {
            shard_.add({task.id, point});
        } catch (const Error& error) {
            return {number, Reply::Kind::cannot_write, 0, std::nan(""), error.what()};
        }
        return {number,
                Reply::Kind::done,
                static_cast<std::uint8_t>(point.status),
                options_.goal(point),
                {}};
    }

private:
    const Space& space_;
    const std::vector<Task>& tasks_;
    const Steps& steps_;
    const Options& options_;
    Shard shard_;
};

/// Tasks of this process that the store does not hold yet.
std::vector<std::size_t> open_tasks(const std::vector<Task>& tasks,
                                    const std::vector<std::uint64_t>& settled, const Part& part)
{
    std::vector<std::size_t> open;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
        if (t % part.parts == part.part &&
            !std::binary_search(settled.begin(), settled.end(), tasks[t].id)) {
            open.push_back(t);
        }
    }
    return open;
}

/// The process that gives out points, hears of their ends and records those nobody else can.
class Foreman
{
public:
    Foreman(const std::vector<Task>& tasks, const Store& store, const Options& options, Crew& crew,
            Progress progress)
        : tasks_{tasks}, store_{store}, options_{options}, crew_{crew}, progress_{progress}
    {
        progress_.best = std::nan("");
    }

    Outcome work(Pool& pool)
    {
        Signals signals;
        options_.progress(progress_);
        bool asking = true;
        while (true) {
            while (asking && outcome_.whole() && pool.has_idle()) {
                const auto task = crew_.next();
                asking = task.has_value();
                if (task) {
                    pool.start(*task);
                }
            }
            const bool idle = pool.busy() == 0;
            if (idle && (!asking || !outcome_.whole()) && crew_.over()) {
                return outcome_;
            }
            for (const auto& reply : pool.wait(crew_.patience(), signals.file())) {
                take(reply);
            }
            tell();
            outcome_.signal = signals.caught();
            if (!outcome_.whole()) {
                crew_.stop();
                if (outcome_.signal != 0 && crew_.over()) {
                    return outcome_;  // what runs is dropped
                }
            }
        }
    }

private:
    void take(const Reply& reply)
    {
        if (reply.kind == Reply::Kind::cannot_write) {
            outcome_.cannot_write = reply.text;
            return;
        }
        auto ended = reply;
        if (reply.kind == Reply::Kind::lost) {
            ended.status = static_cast<std::uint8_t>(results::Status::failed);
            record_loss(reply);
        }
        crew_.ended(ended);
    }

    void record_loss(const Reply& reply)
    {
        results::Point point;
        point.status = results::Status::failed;
        point.message = reply.text;
        try {
            if (!shard_) {
                shard_ = std::make_unique<Shard>(store_.folder());
            }
            shard_->add({tasks_[reply.point].id, point});
        } catch (const Error& error) {
            outcome_.cannot_write = error.what();
        }
    }

    void tell()
    {
        const auto news = crew_.news();
        for (const auto& reply : news) {
            ++progress_.done;
            progress_.failed += reply.status == static_cast<std::uint8_t>(results::Status::failed);
            progress_.best = std::fmin(progress_.best, reply.best);
        }
        if (!news.empty()) {
            options_.progress(progress_);
        }
    }

    const std::vector<Task>& tasks_;
    const Store& store_;
    const Options& options_;
    Crew& crew_;
    Progress progress_;
    Outcome outcome_;
    std::unique_ptr<Shard> shard_;
};

results::Point not_simulated()
{
    results::Point point;
    point.status = results::Status::failed;
    point.message = "not simulated";
    return point;
}

}  // namespace

std::vector<Task> tasks_of(const Space& space, const std::vector<std::size_t>& points)
{
    std::vector<Task> tasks;
    tasks.reserve(points.size());
    for (const auto point : points) {
        tasks.push_back({point, space.id(point), {}});
    }
    return tasks;
}

Outcome execute(const Space& space, const std::vector<Task>& tasks, const Store& store,
                const Steps& steps, const Options& options)
{
    auto open = open_tasks(tasks, store.settled(), options.part);
    const auto mine =
        (tasks.size() + options.part.parts - 1 - options.part.part) / options.part.parts;
    const Progress progress{0, 0, mine - open.size(), mine, 0};
    const auto crew = options.crew(std::move(open));
    Pool pool{options.workers,
              [&] {
                  auto simulated =
                      std::make_shared<Simulated>(space, tasks, steps, options, store.folder());
                  return [simulated](std::size_t number) { return (*simulated)(number); };
              },
              options.limits};
    return Foreman{tasks, store, options, *crew, progress}.work(pool);
}

void check_axis_names(const spec::SweepSpec& sweep)
{
    results::ResultSet one;
    one.kind = results::Kind::sweep;
    one.axes = sweep.axes;
    for (auto& axis : one.axes) {
        axis.values.resize(1);
    }
    one.points = {not_simulated()};
    static_cast<void>(results::describe(one));
}

results::ResultSet collect(const config::LoadedSweep& sweep, const Space& space,
                           const std::vector<Task>& tasks, const Store& store)
{
    results::ResultSet set;
    set.kind = results::Kind::sweep;
    set.axes = sweep.spec.axes;
    results::Point out;
    out.status = results::Status::left_out;
    set.points.assign(space.size(), out);
    auto known = store.read();
    for (const auto& task : tasks) {
        const auto found = known.find(task.id);
        set.points[task.point] = found == known.end() ? not_simulated() : std::move(found->second);
    }
    return set;
}

}  // namespace sim::sweep
