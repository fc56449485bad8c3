#include "replay/result_bytes.hpp"

#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/error.hpp"

namespace sim::replay
{

namespace
{

constexpr std::uint32_t kVersion = 5;

/// Appends values. The fields of each struct are listed once, in `fields`, for both directions.
class Writer
{
public:
    template <class T>
    void operator()(const T& value)
    {
        if constexpr (std::is_same_v<T, std::string>) {
            (*this)(std::uint64_t{value.size()});
            bytes_ += value;
        } else if constexpr (std::is_trivially_copyable_v<T>) {
            bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        } else {
            fields(*this, const_cast<T&>(value));
        }
    }
    template <class T>
    void operator()(const std::optional<T>& value)
    {
        (*this)(value.has_value());
        if (value) {
            (*this)(*value);
        }
    }
    template <class T>
    void operator()(const std::vector<T>& values)
    {
        (*this)(std::uint64_t{values.size()});
        for (const auto& value : values) {
            (*this)(value);
        }
    }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class Reader
{
public:
    explicit Reader(const std::string& bytes) : bytes_{bytes} {}

    template <class T>
    void operator()(T& value)
    {
        if constexpr (std::is_same_v<T, std::string>) {
            const auto size = length();
            value.assign(take(size), size);
        } else if constexpr (std::is_trivially_copyable_v<T>) {
            std::memcpy(&value, take(sizeof value), sizeof value);
        } else {
            fields(*this, value);
        }
    }
    template <class T>
    void operator()(std::optional<T>& value)
    {
        bool has = false;
        (*this)(has);
        if (has) {
            (*this)(value.emplace());
        }
    }
    template <class T>
    void operator()(std::vector<T>& values)
    {
        values.resize(length());
        for (auto& value : values) {
            (*this)(value);
        }
    }
    void expect_end() const
    {
        if (at_ != bytes_.size()) {
            throw Error{"reading a simulation's outcome: bytes are left over"};
        }
    }

private:
    std::size_t length()
    {
        std::uint64_t value = 0;
        (*this)(value);
        if (value > bytes_.size()) {
            throw Error{"reading a simulation's outcome: it is cut short"};
        }
        return value;
    }
    const char* take(std::size_t size)
    {
        if (size > bytes_.size() - at_) {
            throw Error{"reading a simulation's outcome: it is cut short"};
        }
        const auto* from = bytes_.data() + at_;
        at_ += size;
        return from;
    }

    const std::string& bytes_;
    std::size_t at_ = 0;
};

template <class Visitor>
void fields(Visitor& visit, CommunicationTotals& totals)
{
    visit(totals.purpose);
    visit(totals.exposed);
    visit(totals.hidden);
    visit(totals.bytes_sent);
    visit(totals.nic_bytes_sent);
    visit(totals.binding);
}

template <class Visitor>
void fields(Visitor& visit, Lost& lost)
{
    visit(lost.resource);
    visit(lost.kernels);
    visit(lost.transfers);
}

template <class Visitor>
void fields(Visitor& visit, Timeline& timeline)
{
    visit(timeline.resource);
    visit(timeline.mean);
    visit(timeline.peak);
}

template <class Visitor>
void fields(Visitor& visit, Crossing& crossing)
{
    visit(crossing.purpose);
    visit(crossing.first_rank);
    visit(crossing.last_rank);
    visit(crossing.ranks);
    visit(crossing.bytes);
}

template <class Visitor>
void fields(Visitor& visit, BusyLink& link)
{
    visit(link.name);
    visit(link.kind);
    visit(link.members);
    visit(link.utilisation);
    visit(link.crossings);
}

template <class Visitor>
void fields(Visitor& visit, PathShare& share)
{
    visit(share.what);
    visit(share.time);
}

template <class Visitor>
void fields(Visitor& visit, TierBytes& tier)
{
    visit(tier.resource);
    visit(tier.bytes);
}

template <class Visitor>
void fields(Visitor& visit, RankPair& pair)
{
    visit(pair.from);
    visit(pair.to);
    visit(pair.purpose);
    visit(pair.bytes);
}

template <class Visitor>
void fields(Visitor& visit, StageMemory& memory)
{
    visit(memory.stage);
    visit(memory.activations);
    visit(memory.temporary);
    visit(memory.micro_batches);
    visit(memory.host_activations);
}

template <class Visitor>
void fields(Visitor& visit, GroupTraffic& group)
{
    visit(group.purpose);
    visit(group.from_stage);
    visit(group.to_stage);
    visit(group.first_rank);
    visit(group.last_rank);
    visit(group.ranks);
    visit(group.groups);
    visit(group.bytes);
    visit(group.nic_bytes);
}

template <class Visitor>
void fields(Visitor& visit, LoadBox& box)
{
    visit(box.name);
    visit(box.tier);
    visit(box.members);
    visit(box.inside);
}

template <class Visitor>
void fields(Visitor& visit, LoadWay& way)
{
    visit(way.from);
    visit(way.to);
    visit(way.kind);
    visit(way.cables);
    visit(way.mean);
    visit(way.peak);
}

template <class Visitor>
void fields(Visitor& visit, HeldOverTime& held)
{
    visit(held.stage);
    visit(held.tier);
    visit(held.capacity);
    visit(held.content);
    visit(held.bytes);
}

template <class Visitor>
void fields(Visitor& visit, MemoryOverTime& memory)
{
    visit(memory.bin);
    visit(memory.held);
    visit(memory.stages);
    visit(memory.micro_batches);
}

template <class Visitor>
void fields(Visitor& visit, Observed& observed)
{
    visit(observed.paces);
    visit(observed.bin);
    visit(observed.timelines);
    visit(observed.links);
    visit(observed.critical);
    visit(observed.tiers);
    visit(observed.pairs);
    visit(observed.groups);
    visit(observed.memory_bin);
    visit(observed.memory);
    visit(observed.load.boxes);
    visit(observed.load.ways);
}

template <class Visitor>
void fields(Visitor& visit, RankClass& ranks)
{
    visit(ranks.multiplicity);
    visit(ranks.members);
    visit(ranks.stage);
    visit(ranks.ledger);
    visit(ranks.communication);
    visit(ranks.lost);
    visit(ranks.waited);
}

template <class Visitor>
void fields(Visitor& visit, ResourceClass& resources)
{
    visit(resources.name);
    visit(resources.members);
    visit(resources.mean_utilisation);
    visit(resources.peak_utilisation);
    visit(resources.capacity);
}

template <class Visitor>
void fields(Visitor& visit, formats::TimelineTrack& track)
{
    visit(track.name);
    visit(track.streams);
}

template <class Visitor>
void fields(Visitor& visit, formats::TimelineCounter& counter)
{
    visit(counter.name);
    visit(counter.samples);
}

template <class Visitor>
void fields(Visitor& visit, formats::Timeline& timeline)
{
    visit(timeline.tracks);
    visit(timeline.labels);
    visit(timeline.spans);
    visit(timeline.counters);
    visit(timeline.seconds);
}

template <class Visitor>
void fields(Visitor& visit, TierUse& use)
{
    visit(use.name);
    visit(use.capacity);
    visit(use.held);
    visit(use.read);
    visit(use.written);
    visit(use.years);
    visit(use.tier);
    visit(use.gpus);
}

template <class Visitor>
void fields(Visitor& visit, Result& result)
{
    visit(result.step);
    visit(result.tokens_per_second);
    visit(result.tokens_per_second_per_gpu);
    visit(result.model_flops_per_second_per_gpu);
    visit(result.mfu);
    visit(result.hfu);
    visit(result.classes);
    visit(result.resources);
    visit(result.binding);
    visit(result.footprint);
    visit(result.memory);
    visit(result.tiers);
    visit(result.instances);
    visit(result.folding);
    visit(result.activities);
    visit(result.fingerprint);
    visit(result.engine_options);
    visit(result.timeline);
    visit(result.observed);
}

}  // namespace

std::string to_bytes(const Result& result)
{
    Writer writer;
    writer(kVersion);
    writer(result);
    return writer.take();
}

Result from_bytes(const std::string& bytes)
{
    Reader reader{bytes};
    std::uint32_t version = 0;
    reader(version);
    if (version != kVersion) {
        throw Error{"reading a simulation's outcome: it is of another version"};
    }
    Result result;
    reader(result);
    reader.expect_end();
    return result;
}

}  // namespace sim::replay
