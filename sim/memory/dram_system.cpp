#include "memory/dram_system.hpp"

#include <algorithm>

#include "core/contract.hpp"
#include "memory/dram_energy.hpp"

namespace sim::memory
{

namespace
{

BankShape bank_shape(const spec::DramSpec& dram)
{
    return {dram.ranks, dram.bank_groups, dram.banks_per_group, dram.independent_ranks};
}

ChannelCounters operator-(ChannelCounters a, const ChannelCounters& b)
{
    for (const auto access : {kRead, kWrite}) {
        a.columns[access] -= b.columns[access];
    }
    for (std::size_t i = 0; i < a.lost.size(); ++i) {
        a.lost[i] -= b.lost[i];
    }
    a.activates -= b.activates;
    a.refreshes -= b.refreshes;
    a.turnarounds -= b.turnarounds;
    a.read_latency -= b.read_latency;
    return a;
}

ChannelCounters operator+(const ChannelCounters& a, const ChannelCounters& b)
{
    return a - (ChannelCounters{} - b);
}

/// Who asks next and when, in order of time.
class Users
{
public:
    /// They start spread over `window`, not all at once.
    Users(int count, Clock window)
        : waits_for_(static_cast<std::size_t>(count)), last_(waits_for_.size())
    {
        for (int user = 0; user < count; ++user) {
            next_.push_back({window * user / count, static_cast<std::uint32_t>(user)});
        }
    }

    /// Those who ask before `limit`, earliest first; they leave the list.
    [[nodiscard]] std::vector<Completion> before(Clock limit)
    {
        std::sort(next_.begin(), next_.end(), [](const Completion& a, const Completion& b) {
            return a.at != b.at ? a.at < b.at : a.requester < b.requester;
        });
        const auto end = std::find_if(next_.begin(), next_.end(),
                                      [&](const Completion& c) { return c.at >= limit; });
        std::vector<Completion> due(next_.begin(), end);
        next_.erase(next_.begin(), end);
        return due;
    }
    void asks(std::uint32_t user, std::int64_t bursts) { waits_for_[user] = bursts; }
    void served(const Completion& done, Clock think)
    {
        auto& last = last_[done.requester];
        last = std::max(last, done.at);
        if (--waits_for_[done.requester] == 0) {
            next_.push_back({last + think, done.requester});
        }
    }

private:
    std::vector<std::int64_t> waits_for_;
    std::vector<Clock> last_;
    std::vector<Completion> next_;
};

}  // namespace

/// The channels of one run, with what they had done when counting began.
class DramSystem::Running
{
public:
    Running(const DramSystem& system, const ChannelPolicy& policy)
        : system_{system}, policy_{policy}
    {
        const auto channels = static_cast<std::size_t>(system.dram_.channels) *
                              static_cast<std::size_t>(system.stacks_);
        channels_.reserve(channels);
        for (std::size_t c = 0; c < channels; ++c) {
            channels_.emplace_back(system.clocks_, bank_shape(system.dram_), policy_);
        }
    }

    /// The earliest clock from `at` on at which the stream can hand the burst over.
    Clock hand_over(const Burst& burst, Clock at)
    {
        const auto place = system_.map_.locate(burst.address);
        const auto access = burst.write ? kWrite : kRead;
        auto& channel = channels_[place.channel];
        at = std::max(at, channel.make_room(access));
        channel.push({at, place.row, 0, static_cast<std::uint16_t>(place.bank), access});
        return at;
    }
    void arrive(const Burst& burst, Clock at, std::uint32_t user)
    {
        const auto place = system_.map_.locate(burst.address);
        channels_[place.channel].push({at, place.row, user, static_cast<std::uint16_t>(place.bank),
                                       burst.write ? kWrite : kRead});
    }
    void run_until(Clock limit)
    {
        for (auto& channel : channels_) {
            channel.run_until(limit);
        }
    }
    void begin_counting(Clock at)
    {
        run_until(at);
        begun_at_ = at;
        before_ = sum();
    }
    [[nodiscard]] DramResult end_counting(Clock at)
    {
        run_until(at);
        return result(sum() - before_, at - begun_at_);
    }
    [[nodiscard]] std::vector<DramChannel>& channels() { return channels_; }

private:
    [[nodiscard]] ChannelCounters sum() const
    {
        ChannelCounters total;
        for (const auto& channel : channels_) {
            total = total + channel.counters();
        }
        return total;
    }
    [[nodiscard]] DramResult result(const ChannelCounters& done, Clock elapsed) const;

    const DramSystem& system_;
    ChannelPolicy policy_;
    std::vector<DramChannel> channels_;
    ChannelCounters before_;
    Clock begun_at_ = 0;
};

DramResult DramSystem::Running::result(const ChannelCounters& done, Clock elapsed) const
{
    const auto& dram = system_.dram_;
    DramResult result;
    result.peak = system_.peak();
    const auto columns = done.columns[kRead] + done.columns[kWrite];
    if (elapsed <= 0 || columns <= 0) {
        return result;
    }
    const auto sides = static_cast<double>(channels_.size()) * dram.pseudo_channels;
    const auto pin_clocks = sides * static_cast<double>(elapsed);
    result.bursts = static_cast<double>(columns);
    result.elapsed = dram.timing.tCK * static_cast<double>(elapsed);
    result.fraction = result.bursts * static_cast<double>(system_.clocks_.burst) / pin_clocks;
    result.achieved = result.peak * result.fraction;
    const auto reads = std::max<std::int64_t>(1, done.columns[kRead]);
    result.read_latency =
        dram.timing.tCK * (static_cast<double>(done.read_latency) / static_cast<double>(reads));
    result.row_hits = std::max(0.0, 1 - static_cast<double>(done.activates) / result.bursts);
    for (std::size_t i = 0; i < done.lost.size(); ++i) {
        result.lost[i] = static_cast<double>(done.lost[i]) / pin_clocks;
    }
    result.pj_per_bit = pj_per_bit(dram, done, result.elapsed * sides);
    return result;
}

DramSystem::DramSystem(const spec::DramSpec& dram, int stacks)
    : dram_{dram}, stacks_{stacks}, clocks_{dram_clocks(dram)}, map_{dram, stacks}
{
    SIM_EXPECT(stacks >= 1);
}

Bandwidth DramSystem::peak() const { return spec::pin_bandwidth(dram_) * stacks_; }

std::int64_t DramSystem::bursts_per_interval() const
{
    return clocks_.refresh_interval / clocks_.burst * dram_.channels * dram_.pseudo_channels *
           stacks_;
}

DramResult DramSystem::saturate(const PatternSpec& pattern, const RunLength& length) const
{
    AccessPattern accesses{pattern, spec::burst_bytes(dram_), capacity()};
    Running running{*this, channel_policy(dram_)};
    Clock at = 0;
    for (std::int64_t i = 0; i < length.warm_up; ++i) {
        at = running.hand_over(accesses.next(), at);
    }
    running.begin_counting(at);
    for (std::int64_t i = 0; i < length.counted; ++i) {
        at = running.hand_over(accesses.next(), at);
    }
    return running.end_counting(at);
}

DramResult DramSystem::loop(const PatternSpec& pattern, const ClosedLoop& users,
                            const RunLength& length) const
{
    SIM_EXPECT(users.users >= 1);
    AccessPattern accesses{pattern, spec::burst_bytes(dram_), capacity()};
    auto policy = channel_policy(dram_);
    policy.report_completions = true;
    Running running{*this, policy};
    const Clock think = clocks_up(users.think, dram_.timing.tCK);
    // Nobody who is served in a window can ask again inside it.
    const Clock window =
        std::max<Clock>(1, think + (pattern.writes > 0 ? 0 : clocks_.read_latency));
    const auto bursts = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(users.bytes / spec::burst_bytes(dram_)));
    Users asking{users.users, window};
    std::int64_t asked = 0;
    bool counting = false;
    for (Clock limit = window;; limit += window) {
        for (const auto& [at, user] : asking.before(limit)) {
            for (std::int64_t i = 0; i < bursts; ++i) {
                // A write that is taken at once lets its user ask in the next window only.
                running.arrive(accesses.next(), std::max(at, limit - window), user);
            }
            asking.asks(user, bursts);
            asked += bursts;
        }
        running.run_until(limit);
        for (auto& channel : running.channels()) {
            for (const auto& done : channel.completions()) {
                asking.served(done, think);
            }
            channel.completions().clear();
        }
        if (!counting && asked >= length.warm_up) {
            counting = true;
            asked = 0;
            running.begin_counting(limit);
        } else if (counting && asked >= length.counted) {
            return running.end_counting(limit);
        }
    }
}

DramResult DramSystem::flood(const PatternSpec& pattern, const RunLength& length) const
{
    const auto& queues = dram_.controller;
    const int entries = (queues.read_queue + queues.write_queue) * dram_.channels * stacks_;
    return loop(pattern, {2 * entries, {}, {}}, length);
}

DramResult DramSystem::replay(const std::vector<TimedBurst>& bursts) const
{
    auto policy = channel_policy(dram_);
    policy.idle_drains = true;  // the last writes would wait for ever
    Running running{*this, policy};
    Clock last = 0;
    for (const auto& [time, burst] : bursts) {
        last = std::max(last, clocks_up(time, dram_.timing.tCK));
        running.arrive(burst, last, 0);
    }
    if (bursts.empty()) {
        return running.end_counting(0);
    }
    // Until the last one is served: the channels run dry and say when.
    Clock limit = last;
    const auto wanted = static_cast<double>(bursts.size());
    for (;;) {
        limit += clocks_.refresh_interval;
        const auto result = running.end_counting(limit);
        if (result.bursts >= wanted) {
            return result;
        }
    }
}

}  // namespace sim::memory
