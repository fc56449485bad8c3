#pragma once

#include "core/quantity.hpp"
#include "spec/ssd.hpp"

namespace sim::memory
{

/// What a host asks of one drive.
struct SsdLoad {
    Bytes block{};        ///< of one request
    bool random = false;  ///< anywhere, or one after the other
    double reads = 1;     ///< share of the requests, in [0, 1]
    int queue_depth = 1;  ///< requests on the way, all threads
    double filled = 1;    ///< of the capacity that holds data, in (0, 1]
    bool burst = false;   ///< writes find room in the SLC cache
};

enum class SsdBound { queue, link, controller, channels, dies };
[[nodiscard]] const char* name(SsdBound bound);

struct SsdRate {
    Bandwidth bandwidth{};
    double per_second = 0;     ///< requests
    Time latency{};            ///< mean of a request; of reads when there are any
    double amplification = 1;  ///< pages written to flash per page of the host
    SsdBound bound = SsdBound::queue;
};

/// Ceilings of link, controller, channels and dies, and Little's law on the queue: reads wait for
/// each other as in a closed network; writes are acknowledged by a buffer and drain behind them.
/// Equations and evidence in sim/memory/ssd.md.
[[nodiscard]] SsdRate ssd_rate(const spec::SsdSpec& ssd, const SsdLoad& load);

/// What flash and controller do in order behind the link, with requests enough on the way; writes
/// past the SLC cache.
struct FlashRates {
    Bandwidth read{};
    Bandwidth write{};
    Time read_latency{};  ///< of the first byte
    Time write_latency{};
};
[[nodiscard]] FlashRates flash_rates(const spec::SsdSpec& ssd);

/// `drives` equal ones behind one stripe: each gets its share of the queue.
[[nodiscard]] SsdRate striped_rate(const spec::SsdSpec& ssd, SsdLoad load, int drives);

/// Time to write that much in order after a rest: into the cache first, past it when it is full.
[[nodiscard]] Time write_time(const spec::SsdSpec& ssd, Bytes amount);

/// Host bytes that wear the drive out. The rating holds for random writes; in order the same cells
/// last longer by the write amplification.
[[nodiscard]] double endurance_bytes(const spec::SsdSpec& ssd, bool random);

/// Until a drive is worn out that is written so much every period.
[[nodiscard]] Time worn_after(const spec::SsdSpec& ssd, Bytes written, Time period, bool random);

/// From drives to a GPU.
struct StagedCopy {
    Bandwidth drives{};
    Bandwidth slot{};      ///< of the GPU
    bool direct = false;   ///< drive to GPU, no buffer in host memory
    bool overlaps = true;  ///< through two buffers or more; else one is filled, then emptied
};

/// Direct or overlapping: the slower of both; one buffer: one after the other.
[[nodiscard]] Bandwidth staged_rate(const StagedCopy& copy);

}  // namespace sim::memory
