#pragma once

#include <cstdint>
#include <vector>

#include "formats/kineto_recording.hpp"

namespace sim::formats
{

inline constexpr std::uint32_t kNoWork = 0xffffffff;

/// An instant that the host passes: a launch is called, or what was awaited has come.
struct KinetoPoint {
    double at_us = 0;
    std::uint32_t call = 0;
    bool awaits = false;
};

/// What the host's calls say of the GPU's work. Works and calls are the recording's, by index.
struct KinetoLaunches {
    std::vector<std::uint32_t> launch_of;  ///< by work: its call, or kNoCall
    std::uint64_t without_launch = 0;
    /// By call: the work that was launched last before it and computes, on any thread, and on its
    /// own; kNoWork for none.
    std::vector<std::uint32_t> computed_before;
    std::vector<std::uint32_t> launched_before;
    std::vector<bool> follows_order;      ///< by call: its thread made a stream wait before it
    std::vector<std::uint32_t> blocking;  ///< by call: the work it awaits itself, or kNoWork
    std::vector<KinetoPoint> points;      ///< by time
    /// Works by their recorded start, but none before its launch.
    std::vector<std::uint32_t> order;

    /// When the work may begin at the earliest.
    [[nodiscard]] double key(const KinetoRecording& recording, std::uint32_t work) const;
};

[[nodiscard]] KinetoLaunches kineto_launches(const KinetoRecording& recording);

}  // namespace sim::formats
