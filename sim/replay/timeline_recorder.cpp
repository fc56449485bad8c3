#include "replay/timeline_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/log.hpp"

namespace sim::replay
{

namespace
{

constexpr std::size_t kMostSamples = 2000;
constexpr std::size_t kMostSpans = 1'500'000;

// Places in formats::Timeline::kCategories.
constexpr std::uint32_t kCompute = 0;
constexpr std::uint32_t kCommunication = 1;
constexpr std::uint32_t kCopy = 2;
constexpr std::uint32_t kHost = 3;

const workload::Program& program_of(const workload::TaskGraph& graph, std::uint32_t rank)
{
    return graph.programs[graph.program_of_rank[rank].index()];
}

formats::TimelineSpan described(const workload::Program& program, const workload::Task& task)
{
    formats::TimelineSpan span;
    switch (task.kind) {
        case workload::TaskKind::kernel: {
            const auto& kernel = program.kernels[task.payload];
            span.label = kernel.label;
            span.category = kernel.of_host ? kHost : kCompute;
            break;
        }
        case workload::TaskKind::collective:
            span.label = program.collectives[task.payload].label;
            span.category = kCommunication;
            break;
        case workload::TaskKind::copy:
            span.label = program.copies[task.payload].label;
            span.category = kCopy;
            break;
    }
    return span;
}

}  // namespace

void TimelineRecorder::open(Time now)
{
    open_ = true;
    opened_ = sampled_ = now;
    for (std::size_t i = 0; i < served_.size(); ++i) {
        served_[i] = engine_.served(ResourceId{i});
    }
}

void TimelineRecorder::ended(RankId rank, std::uint32_t stream, const workload::Task& task,
                             Time since)
{
    const auto now = engine_.now();
    if (!open_) {
        return;
    }
    const auto index = static_cast<std::uint32_t>(rank.index());
    auto span = described(program_of(instances_.graph, index), task);
    span.track = index;
    span.stream = stream;
    span.begin = std::max(Time{}, since - opened_).base();
    span.end = (now - opened_).base();
    if (span.end > span.begin) {
        spans_.push_back(span);
    }
    if ((now - sampled_).base() >= interval_) {
        sample();
    }
}

void TimelineRecorder::sample()
{
    const auto now = engine_.now();
    const auto seconds = (now - sampled_).base();
    Sample made{(sampled_ - opened_).base(), (now - opened_).base(), {}};
    made.shares.resize(kResourceKinds);
    std::array<double, kResourceKinds> members{};
    for (std::size_t i = 0; i < served_.size(); ++i) {
        const auto& supply = instances_.supplies[i];
        const auto kind = static_cast<std::size_t>(supply.kind);
        const auto served = engine_.served(ResourceId{i});
        const auto share = (served - served_[i]) / (supply.capacity * seconds);
        const auto count = static_cast<double>(supply.members * supply.bundle);
        served_[i] = served;
        made.shares[kind].first += count * share;
        made.shares[kind].second = std::max(made.shares[kind].second, share);
        members[kind] += count;
    }
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
        made.shares[kind].first /= std::max(1.0, members[kind]);
    }
    samples_.push_back(std::move(made));
    sampled_ = now;
    if (samples_.size() >= kMostSamples) {
        merge_pairs();
        interval_ *= 2;
    }
}

void TimelineRecorder::merge_pairs()
{
    std::vector<Sample> merged;
    for (std::size_t i = 0; i + 1 < samples_.size(); i += 2) {
        auto& first = samples_[i];
        const auto& second = samples_[i + 1];
        const auto weight = (second.end - second.begin) / (second.end - first.begin);
        for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
            auto& [mean, busiest] = first.shares[kind];
            mean += weight * (second.shares[kind].first - mean);
            busiest += weight * (second.shares[kind].second - busiest);
        }
        first.end = second.end;
        merged.push_back(std::move(first));
    }
    samples_ = std::move(merged);
}

void TimelineRecorder::close(Time now)
{
    closed_ = now;
    if (now > sampled_) {
        sample();
    }
    open_ = false;
}

formats::Timeline TimelineRecorder::take(const std::vector<RankClass>& classes)
{
    formats::Timeline timeline;
    timeline.labels = instances_.graph.labels;
    timeline.seconds = (closed_ - opened_).base();
    constexpr std::uint32_t kNoTrack = 0xffffffff;
    std::vector<std::uint32_t> track_of(instances_.graph.ranks(), kNoTrack);
    std::vector<std::size_t> spans_of(instances_.graph.ranks());
    for (const auto& span : spans_) {
        ++spans_of[span.track];
    }
    std::size_t written = 0;
    std::size_t left_out = 0;
    for (const auto& each : classes) {
        const auto rank = each.members.front();
        const auto instance = instances_.instance_of_rank[rank];
        if (track_of[instance] != kNoTrack || written + spans_of[instance] > kMostSpans) {
            left_out += track_of[instance] == kNoTrack ? 1 : 0;
            continue;
        }
        written += spans_of[instance];
        track_of[instance] = static_cast<std::uint32_t>(timeline.tracks.size());
        auto& track = timeline.tracks.emplace_back();
        track.name = each.multiplicity > 1
                         ? fmt::format("rank {} and {} like it", rank, each.multiplicity - 1)
                         : fmt::format("rank {}", rank);
        for (const auto& stream : program_of(instances_.graph, instance).streams) {
            track.streams.push_back(stream.name);
        }
    }
    if (left_out > 0) {
        Log{"replay"}.warning(fmt::format(
            "the timeline leaves out {} classes of ranks: it would be too large", left_out));
    }
    for (auto& span : spans_) {
        if (track_of[span.track] != kNoTrack) {
            span.track = track_of[span.track];
            timeline.spans.push_back(span);
        }
    }
    std::array<bool, kResourceKinds> present{};
    for (const auto& supply : instances_.supplies) {
        present[static_cast<std::size_t>(supply.kind)] = true;
    }
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind) {
        if (present[kind]) {
            auto& counter = timeline.counters.emplace_back();
            counter.name = name(static_cast<ResourceKind>(kind));
            for (const auto& each : samples_) {
                counter.samples.push_back(
                    {each.begin, each.shares[kind].first, each.shares[kind].second});
            }
        }
    }
    return timeline;
}

}  // namespace sim::replay
