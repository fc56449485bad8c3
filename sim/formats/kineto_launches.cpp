#include "formats/kineto_launches.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "formats/kineto_collectives.hpp"

namespace sim::formats
{

namespace
{

class Finder
{
public:
    explicit Finder(const KinetoRecording& recording) : recording_{recording} {}

    KinetoLaunches find()
    {
        join_launches();
        note_what_was_launched_before();
        find_points();
        put_in_order();
        return std::move(made_);
    }

private:
    void join_launches()
    {
        std::vector<std::uint32_t> by_correlation;
        const auto& calls = recording_.calls;
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            if (calls[i].kind == KinetoCallKind::launch && calls[i].correlation >= 0) {
                by_correlation.push_back(i);
            }
        }
        const auto less = [&](std::uint32_t a, std::uint32_t b) {
            return std::tie(calls[a].correlation, calls[a].start_us) <
                   std::tie(calls[b].correlation, calls[b].start_us);
        };
        std::sort(by_correlation.begin(), by_correlation.end(), less);
        for (const auto& each : recording_.works) {
            const auto found = std::lower_bound(
                by_correlation.begin(), by_correlation.end(), each.correlation,
                [&](std::uint32_t call, auto wanted) { return calls[call].correlation < wanted; });
            const bool is = found != by_correlation.end() && each.correlation >= 0 &&
                            calls[*found].correlation == each.correlation;
            made_.launch_of.push_back(is ? *found : kNoCall);
            made_.without_launch += is ? 0 : 1;
        }
    }

    /// Of every call: the kernel that the host launched last before it and that computes, and
    /// whether the call follows one that makes a stream wait.
    void note_what_was_launched_before()
    {
        const auto& calls = recording_.calls;
        std::vector<std::uint32_t> by_start(calls.size());
        for (std::uint32_t i = 0; i < calls.size(); ++i) {
            by_start[i] = i;
        }
        std::stable_sort(by_start.begin(), by_start.end(), [&](std::uint32_t a, std::uint32_t b) {
            return calls[a].start_us < calls[b].start_us;
        });
        std::vector<std::uint32_t> computes(calls.size(), kNoWork);
        for (std::uint32_t i = 0; i < recording_.works.size(); ++i) {
            if (made_.launch_of[i] != kNoCall && !recording_.works[i].communicates) {
                computes[made_.launch_of[i]] = i;
            }
        }
        made_.computed_before.assign(calls.size(), kNoWork);
        made_.launched_before.assign(calls.size(), kNoWork);
        made_.follows_order.assign(calls.size(), false);
        std::uint32_t last = kNoWork;
        std::vector<bool> ordered;
        std::vector<std::uint32_t> latest;  // by thread
        for (const auto call : by_start) {
            const auto thread = calls[call].thread;
            ordered.resize(std::max<std::size_t>(ordered.size(), thread + std::size_t{1}));
            latest.resize(ordered.size(), kNoWork);
            made_.computed_before[call] = last;
            made_.launched_before[call] = latest[thread];
            if (calls[call].kind == KinetoCallKind::order) {
                ordered[thread] = true;
            } else if (calls[call].kind == KinetoCallKind::launch) {
                made_.follows_order[call] = ordered[thread];
                ordered[thread] = false;
                last = computes[call] == kNoWork ? last : computes[call];
                latest[thread] = computes[call] == kNoWork ? latest[thread] : computes[call];
            }
        }
    }

    /// Sorted by time. A copy that has ended when its call returns was awaited by it.
    void find_points()
    {
        auto& points = made_.points;
        std::vector<bool> launches(recording_.calls.size());
        made_.blocking.assign(recording_.calls.size(), kNoWork);
        for (std::uint32_t i = 0; i < recording_.works.size(); ++i) {
            if (made_.launch_of[i] == kNoCall) {
                continue;
            }
            const auto& call = recording_.calls[made_.launch_of[i]];
            launches[made_.launch_of[i]] = true;
            if (recording_.works[i].end_us <= call.end_us) {
                made_.blocking[made_.launch_of[i]] = i;
            }
        }
        for (std::uint32_t i = 0; i < recording_.calls.size(); ++i) {
            const auto& call = recording_.calls[i];
            if (launches[i]) {
                points.push_back({call.start_us, i, false});
            }
            if (made_.blocking[i] != kNoWork || call.kind == KinetoCallKind::await_all ||
                call.kind == KinetoCallKind::await_some) {
                points.push_back({call.end_us, i, true});
            }
        }
        std::stable_sort(
            points.begin(), points.end(),
            [](const KinetoPoint& a, const KinetoPoint& b) { return a.at_us < b.at_us; });
    }

    void put_in_order()
    {
        auto& order = made_.order;
        order.resize(recording_.works.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        const auto when = [&](std::uint32_t work) {
            return std::pair{made_.key(recording_, work), recording_.works[work].start_us};
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return when(a) < when(b); });
    }

    const KinetoRecording& recording_;
    KinetoLaunches made_;
};

}  // namespace

double KinetoLaunches::key(const KinetoRecording& recording, std::uint32_t work) const
{
    const auto launch = launch_of[work];
    const auto start = recording.works[work].start_us;
    return launch == kNoCall ? start : std::max(start, recording.calls[launch].start_us);
}

KinetoLaunches kineto_launches(const KinetoRecording& recording)
{
    return Finder{recording}.find();
}

}  // namespace sim::formats
