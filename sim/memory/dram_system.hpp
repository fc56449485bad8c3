#pragma once

#include <array>
#include <functional>
#include <vector>

#include "memory/access_pattern.hpp"
#include "memory/address_map.hpp"
#include "memory/dram_channel.hpp"

namespace sim::memory
{

/// What a run of accesses got out of a memory.
struct DramResult {
    double bursts = 0;
    Time elapsed{};
    double fraction = 0;  ///< of the data pins' bandwidth
    Bandwidth peak{};
    Bandwidth achieved{};
    Time read_latency{};  ///< mean, from the arrival at the controller to the last byte
    double row_hits = 0;  ///< share of accesses that found their row open
    std::array<double, kBounds> lost{};  ///< share of time the pins stood still, by Bound
    double pj_per_bit = 0;
};

/// How many bursts a run throws away and how many it counts.
struct RunLength {
    std::int64_t warm_up = 0;
    std::int64_t counted = 0;
};

/// Independent users of the memory, each with a fixed amount on the way: it asks for `bytes`,
/// waits for all of them, and asks again after `think`. Little's law in flesh.
struct ClosedLoop {
    int users = 1;
    Bytes bytes{};  ///< of one request; 0: one burst
    Time think{};   ///< between the last byte and the next request, the way to and fro included
};

/// Every channel of some equal stacks behind one address map. Channels meet only in the order of
/// arrival, so each is run on its own up to where the others need its answer.
class DramSystem
{
public:
    DramSystem(const spec::DramSpec& dram, int stacks);

    /// As fast as the queues take the pattern, in its order: a full queue stops the whole stream.
    [[nodiscard]] DramResult saturate(const PatternSpec& pattern, const RunLength& length) const;
    [[nodiscard]] DramResult loop(const PatternSpec& pattern, const ClosedLoop& users,
                                  const RunLength& length) const;
    /// As much as every channel takes, each from a list of its own: a full one stops no other.
    [[nodiscard]] DramResult flood(const PatternSpec& pattern, const RunLength& length) const;
    /// Bursts at given times; the last one ends the run. Empty gives zeros.
    struct TimedBurst {
        Time at{};
        Burst burst{};
    };
    [[nodiscard]] DramResult replay(const std::vector<TimedBurst>& bursts) const;

    [[nodiscard]] Bandwidth peak() const;
    [[nodiscard]] std::uint64_t capacity() const { return map_.capacity(); }
    [[nodiscard]] const spec::DramSpec& spec() const { return dram_; }
    /// Bursts that keep every pseudo-channel busy for one refresh interval.
    [[nodiscard]] std::int64_t bursts_per_interval() const;

private:
    class Running;

    spec::DramSpec dram_;
    int stacks_ = 1;
    DramClocks clocks_;
    AddressMap map_;
};

}  // namespace sim::memory
