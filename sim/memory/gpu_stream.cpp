#include "memory/gpu_stream.hpp"

#include <algorithm>

#include "memory/closed_form.hpp"

namespace sim::memory
{

namespace
{

constexpr std::int64_t kRounds = 12;  ///< of all resident blocks, counted
constexpr std::int64_t kLeastBursts = 400'000;

}  // namespace

DramResult gpu_stream(const spec::GpuMemorySpec& gpu, const GpuStream& kernel)
{
    auto dram = spec::at_pin_rate(gpu.dram, gpu.dram.pin_rate * gpu.read_factor);
    const DramSystem system{dram, gpu.stacks};
    PatternSpec pattern;
    pattern.reads = kernel.reads;
    pattern.writes = kernel.writes;
    pattern.interleave = kernel.element * kernel.block_threads;

    ClosedLoop users;
    users.users = gpu.sms * kernel.blocks_per_sm;
    users.bytes = pattern.interleave * (kernel.reads + kernel.writes);
    const auto idle = closed_form(dram, pattern).idle_read;
    const auto on_chip = std::max(Time{}, gpu.latency - idle);
    users.think = gpu.block_turnover + (kernel.reads > 0 ? on_chip : Time{});

    const auto resident =
        static_cast<std::int64_t>(users.bytes / spec::burst_bytes(dram)) * users.users;
    const auto counted = std::max(kLeastBursts, kRounds * resident);
    return system.loop(pattern, users, {counted / 3, counted});
}

}  // namespace sim::memory
