#include "memory/access_class.hpp"

#include <algorithm>

namespace sim::memory
{

namespace
{

constexpr int kChannels = 4;   ///< equal channels behave alike: a few stand for all
constexpr int kIntervals = 4;  ///< refresh intervals that are counted

PatternSpec pattern_of(AccessClass access, const spec::DramSpec& dram)
{
    switch (access) {
        case AccessClass::stream_read:
            return pattern_by_name("read");
        case AccessClass::stream_write:
            return pattern_by_name("write");
        case AccessClass::copy:
        case AccessClass::triad: {
            auto pattern = pattern_by_name(access == AccessClass::copy ? "copy" : "triad");
            pattern.interleave = dram.row * 4;  // what a block of threads takes of each array
            return pattern;
        }
        case AccessClass::random_sector:
            break;
        case AccessClass::strided: {
            auto pattern = pattern_by_name("strided-1");
            pattern.stride = dram.row + spec::burst_bytes(dram);
            return pattern;
        }
    }
    auto pattern = pattern_by_name("random-1");
    pattern.block = spec::burst_bytes(dram);
    return pattern;
}

}  // namespace

const char* access_class_name(AccessClass access)
{
    constexpr std::array kNames{"stream_read", "stream_write",  "copy",
                                "triad",       "random_sector", "strided"};
    return kNames[static_cast<std::size_t>(access)];
}

ClassTable derive_classes(const spec::DramSpec& dram, double read_factor)
{
    auto few = dram;
    few.channels = std::min(dram.channels, kChannels);
    const DramSystem system{few, 1};
    ClassTable table;
    for (int i = 0; i < kAccessClasses; ++i) {
        const auto pattern = pattern_of(static_cast<AccessClass>(i), few);
        const auto bursts = system.bursts_per_interval();
        const RunLength length{bursts, kIntervals * bursts};
        const auto result = system.flood(pattern, length);
        table.fraction[static_cast<std::size_t>(i)] =
            std::clamp(result.fraction * read_factor, 1e-6, 1.0);
    }
    return table;
}

}  // namespace sim::memory
