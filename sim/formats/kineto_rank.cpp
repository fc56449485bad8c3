#include "formats/kineto_rank.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "formats/kineto_launches.hpp"

namespace sim::formats
{

namespace
{

constexpr double kMicrosecond = 1e-6;
constexpr std::uint32_t kHostLane = 1;
constexpr std::uint32_t kStartNode = 0;

// Old profilers round times to whole microseconds.
constexpr double kRounding_us = 1;
// From the end of what a stream waits for to the start of what follows.
constexpr double kHandOver_us = 15;

/// Walks a rank's recording in time and writes every piece of work with what it waited for. Times
/// with `_` at their end are as the nodes will have them, in the recording's clock.
class Walk
{
public:
    Walk(const KinetoRecording& recording, TraceLabels& labels)
        : recording_{recording},
          launches_{kineto_launches(recording)},
          gap_label_{labels.of("launch gap")},
          host_label_{labels.of("host")},
          start_label_{labels.of("start")},
          end_(recording.works.size()),
          node_of_(recording.works.size(), kNoWork),
          done_(recording.streams.size()),
          call_node_(recording.calls.size(), kNoWork),
          call_at_(recording.calls.size())
    {
        collectives_ = join_collectives(recording, launches_.launch_of, labels.all());
        number_lanes();
    }

    KinetoRank walk()
    {
        made_.without_launch = launches_.without_launch;
        made_.joined_by_order = collectives_.by_order;
        made_.joined_by_name = collectives_.by_name;
        host_at_ = recording_.first_us;
        TraceNode start;
        start.label = start_label_;
        start.lane = kHostLane;
        start.host = true;
        host_node_ = add(start, {});
        const auto& points = launches_.points;
        std::size_t point = 0;
        for (const auto work : launches_.order) {
            for (; point < points.size() && points[point].at_us <= launches_.key(recording_, work);
                 ++point) {
                pass(points[point]);
            }
            place(work);
        }
        for (; point < points.size(); ++point) {
            pass(points[point]);
        }
        finish_host();
        made_.rank.lanes = lanes_;
        return std::move(made_);
    }

private:
    [[nodiscard]] const KinetoWork& work(std::uint32_t index) const
    {
        return recording_.works[index];
    }

    /// The stream with most computing is the GPU's lane, the others have one of their own.
    void number_lanes()
    {
        std::vector<double> busy(recording_.streams.size());
        for (const auto& each : recording_.works) {
            busy[each.stream] += each.communicates ? 0 : each.end_us - each.start_us;
        }
        const auto most = std::max_element(busy.begin(), busy.end()) - busy.begin();
        for (std::size_t stream = 0; stream < busy.size(); ++stream) {
            lane_of_.push_back(static_cast<std::ptrdiff_t>(stream) == most ? 0 : lanes_++);
        }
    }

    std::uint32_t add(TraceNode node, const std::vector<std::uint32_t>& waits_for)
    {
        auto& rank = made_.rank;
        const auto index = static_cast<std::uint32_t>(rank.nodes.size());
        node.id = index;
        node.first_dependence = static_cast<std::uint32_t>(rank.dependences.size());
        node.dependences = static_cast<std::uint32_t>(waits_for.size());
        rank.dependences.insert(rank.dependences.end(), waits_for.begin(), waits_for.end());
        rank.nodes.push_back(node);
        return index;
    }

    /// What begins when all of it has ended.
    struct Base {
        double at_us = 0;
        std::vector<std::uint32_t> nodes{};

        void wait(double end_us, std::uint32_t node)
        {
            at_us = std::max(at_us, end_us);
            nodes.push_back(node);
        }
    };

    void wait_for_work(Base& base, std::uint32_t index) const
    {
        base.wait(end_[index], node_of_[index]);
    }

    // The host

    void pass(const KinetoPoint& point)
    {
        Base base{host_at_, {host_node_}};
        if (point.awaits) {
            await(base, point);
        }
        TraceNode node;
        node.label = host_label_;
        node.lane = kHostLane;
        node.host = true;
        node.seconds = std::max(0.0, point.at_us - base.at_us) * kMicrosecond;
        host_node_ = add(node, base.nodes);
        host_at_ = std::max(base.at_us, point.at_us);
        if (!point.awaits) {
            call_node_[point.call] = host_node_;
            call_at_[point.call] = host_at_;
        }
    }

    void await(Base& base, const KinetoPoint& point) const
    {
        const auto& call = recording_.calls[point.call];
        if (launches_.blocking[point.call] != kNoWork) {
            if (node_of_[launches_.blocking[point.call]] != kNoWork) {
                wait_for_work(base, launches_.blocking[point.call]);
            }
        } else if (call.kind == KinetoCallKind::await_all) {
            for (std::uint32_t stream = 0; stream < done_.size(); ++stream) {
                if (const auto last = last_until(stream, point)) {
                    wait_for_work(base, *last);
                }
            }
        } else if (const auto awaited = awaited_by(point)) {
            wait_for_work(base, *awaited);
        }
    }

    /// The last work of the stream that was launched before the call and ended before it returned.
    [[nodiscard]] std::optional<std::uint32_t> last_until(std::uint32_t stream,
                                                          const KinetoPoint& point) const
    {
        const auto& call = recording_.calls[point.call];
        for (auto at = done_[stream].rbegin(); at != done_[stream].rend(); ++at) {
            const auto launch = launches_.launch_of[*at];
            const bool before =
                launch == kNoCall || recording_.calls[launch].start_us < call.start_us;
            if (before && end_[*at] <= point.at_us + kRounding_us) {
                return *at;
            }
        }
        return std::nullopt;
    }

    /// What a wait for a stream or an event was for is not recorded: what ended last while it
    /// lasted, else what its thread had launched last.
    [[nodiscard]] std::optional<std::uint32_t> awaited_by(const KinetoPoint& point) const
    {
        const auto& call = recording_.calls[point.call];
        std::optional<std::uint32_t> latest;
        for (std::uint32_t stream = 0; stream < done_.size(); ++stream) {
            const auto last = last_until(stream, point);
            if (last && (!latest || end_[*last] > end_[*latest])) {
                latest = last;
            }
        }
        if (latest && end_[*latest] >= call.start_us) {
            return latest;
        }
        const auto launched = launches_.launched_before[point.call];
        const bool ended = launched != kNoWork && node_of_[launched] != kNoWork &&
                           end_[launched] <= point.at_us + kRounding_us;
        return ended ? std::optional{launched} : std::nullopt;
    }

    /// What the host does after its last call.
    void finish_host()
    {
        if (recording_.host_last_us > host_at_) {
            TraceNode node;
            node.label = host_label_;
            node.lane = kHostLane;
            node.host = true;
            node.seconds = (recording_.host_last_us - host_at_) * kMicrosecond;
            add(node, {host_node_});
        }
    }

    // The GPU

    void place(std::uint32_t index)
    {
        const auto& each = work(index);
        const auto launch = launches_.launch_of[index];
        Base base{recording_.first_us, {kStartNode}};
        auto& before = done_[each.stream];
        if (!before.empty()) {
            wait_for_work(base, before.back());
        }
        if (launch != kNoCall && call_node_[launch] != kNoWork) {
            base.wait(call_at_[launch], call_node_[launch]);
            made_.before_launch += each.start_us < recording_.calls[launch].start_us ? 1 : 0;
        }
        add_orders(base, index);
        const auto gap = each.start_us - base.at_us;
        if (gap > 0) {
            made_.unexplained += gap > kUnexplained_us ? 1 : 0;
            base = {base.at_us + gap, {add_gap(each, gap, base.nodes)}};
        }
        node_of_[index] = add_work(index, base.nodes);
        end_[index] = base.at_us + (each.end_us - each.start_us);
        before.push_back(index);
    }

    std::uint32_t add_gap(const KinetoWork& each, double gap_us,
                          const std::vector<std::uint32_t>& waits_for)
    {
        TraceNode node;
        node.label = gap_label_;
        node.lane = lane_of_[each.stream];
        node.host = true;
        node.seconds = gap_us * kMicrosecond;
        return add(node, waits_for);
    }

    std::uint32_t add_work(std::uint32_t index, const std::vector<std::uint32_t>& waits_for)
    {
        const auto& each = work(index);
        TraceNode node;
        node.label = each.label;
        node.lane = lane_of_[each.stream];
        node.seconds = (each.end_us - each.start_us) * kMicrosecond;
        node.copies = !each.kernel;
        if (!each.communicates) {
            return add(node, waits_for);
        }
        const auto& what = collectives_.of_work[index];
        if (what.way == KinetoCollective::Way::unknown) {
            ++made_.unknown_messages;
            return add(node, waits_for);
        }
        node.kind = what.way == KinetoCollective::Way::collective ? TraceKind::collective
                    : what.way == KinetoCollective::Way::send     ? TraceKind::send
                                                                  : TraceKind::receive;
        node.collective = what.kind;
        node.size = what.size;
        const auto made = add(node, waits_for);
        made_.meetings.push_back({made, what, each.end_us});
        return made;
    }

    /// Streams wait for each other by events that the profiler does not tell. A collective follows
    /// the kernel that the host launched last before it; a kernel launched after a call that makes
    /// a stream wait follows the collectives that had ended; and what began right when another
    /// stream had ended something, later than all else explains, followed that.
    void add_orders(Base& base, std::uint32_t index)
    {
        const auto& each = work(index);
        const auto launch = launches_.launch_of[index];
        if (launch == kNoCall) {
            return;
        }
        const auto latest = each.start_us + kRounding_us;
        if (each.communicates) {
            const auto computed = launches_.computed_before[launch];
            if (computed != kNoWork && node_of_[computed] != kNoWork && end_[computed] <= latest) {
                wait_for_work(base, computed);
            }
        } else if (launches_.follows_order[launch]) {
            for (std::uint32_t stream = 0; stream < done_.size(); ++stream) {
                const auto last = ended_until(stream, index);
                if (stream != each.stream && last && work(*last).communicates) {
                    wait_for_work(base, *last);
                }
            }
        }
        if (each.start_us - base.at_us > kRounding_us) {
            follow_what_just_ended(base, index);
        }
    }

    void follow_what_just_ended(Base& base, std::uint32_t index)
    {
        const auto& each = work(index);
        std::optional<std::uint32_t> latest;
        for (std::uint32_t stream = 0; stream < done_.size(); ++stream) {
            const auto last = stream == each.stream ? std::nullopt : ended_until(stream, index);
            if (last && end_[*last] > base.at_us && (!latest || end_[*last] > end_[*latest])) {
                latest = last;
            }
        }
        if (latest && each.start_us - end_[*latest] <= kHandOver_us) {
            wait_for_work(base, *latest);
        }
    }

    /// The last work of the stream that had ended when the other began, and was launched before.
    [[nodiscard]] std::optional<std::uint32_t> ended_until(std::uint32_t stream,
                                                           std::uint32_t index) const
    {
        const auto& begins = work(index);
        const auto launched = recording_.calls[launches_.launch_of[index]].start_us;
        for (auto at = done_[stream].rbegin(); at != done_[stream].rend(); ++at) {
            const auto launch = launches_.launch_of[*at];
            const bool before = launch == kNoCall || recording_.calls[launch].start_us < launched;
            if (before && end_[*at] <= begins.start_us + kRounding_us) {
                return *at;
            }
        }
        return std::nullopt;
    }

    static constexpr double kUnexplained_us = 100;

    const KinetoRecording& recording_;
    KinetoLaunches launches_;
    std::uint32_t gap_label_;
    std::uint32_t host_label_;
    std::uint32_t start_label_;
    KinetoRank made_;
    KinetoCollectives collectives_;
    std::vector<std::uint32_t> lane_of_;            ///< by stream
    std::vector<double> end_;                       ///< by work that is placed
    std::vector<std::uint32_t> node_of_;            ///< by work that is placed
    std::vector<std::vector<std::uint32_t>> done_;  ///< by stream: works that are placed
    std::vector<std::uint32_t> call_node_;          ///< by call: the host's node that reaches it
    std::vector<double> call_at_;
    std::uint32_t lanes_ = kHostLane + 1;
    double host_at_ = 0;
    std::uint32_t host_node_ = 0;
};

}  // namespace

KinetoRank kineto_rank(const KinetoRecording& recording, TraceLabels& labels)
{
    return Walk{recording, labels}.walk();
}

}  // namespace sim::formats
