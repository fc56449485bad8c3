#pragma once

#include <array>
#include <string>

#include "memory/dram_system.hpp"

namespace sim::memory
{

/// How a kernel touches a memory, as far as its bandwidth depends on it.
enum class AccessClass { stream_read, stream_write, copy, triad, random_sector, strided };
inline constexpr int kAccessClasses = 6;

[[nodiscard]] const char* access_class_name(AccessClass access);

/// Achieved over peak bandwidth of each class, in (0, 1]; its inverse is what a byte of that class
/// consumes of the memory's capacity.
struct ClassTable {
    std::array<double, kAccessClasses> fraction{};

    [[nodiscard]] double of(AccessClass access) const
    {
        return fraction[static_cast<std::size_t>(access)];
    }
};

/// Runs the bank model once a class, on a few channels that stand for all, and scales by the
/// measured factor of the device (1 when there is none).
[[nodiscard]] ClassTable derive_classes(const spec::DramSpec& dram, double read_factor);

/// Everything `derive_classes` depends on, as text; equal texts have equal tables.
[[nodiscard]] std::string content_of(const spec::DramSpec& dram, double read_factor);

/// The same, kept in a file of `folder` named by a hash of the content. Any number of processes
/// may ask at once: a file appears whole or not at all. One that cannot be read, or is not what
/// was asked for, is made again; a folder that cannot be written is done without.
[[nodiscard]] ClassTable cached_classes(const spec::DramSpec& dram, double read_factor,
                                        const std::string& folder);

/// $XDG_CACHE_HOME/weftsim, else ~/.cache/weftsim, else empty: no cache.
[[nodiscard]] std::string cache_folder();

}  // namespace sim::memory
