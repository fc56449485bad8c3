#pragma once

#include <chrono>
#include <string>

#include "sweep/execute.hpp"

namespace sim::cli
{

/// Tells on stderr how far long work is: one line rewritten on a terminal, a line now and then
/// elsewhere, nothing when quiet.
class ProgressLine
{
public:
    /// `goal` names what `Progress::best` is, in its unit; empty when nothing is looked for.
    ProgressLine(bool quiet, std::string goal, std::string unit);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void operator()(const sweep::Progress& progress);

    /// "12 of 126 points (4 kept, 1 failed), 3.2/s, 36 s left, best 6.94 s" after so long.
    [[nodiscard]] std::string text(const sweep::Progress& progress,
                                   std::chrono::duration<double> elapsed) const;

private:
    using Clock = std::chrono::steady_clock;

    bool quiet_;
    bool terminal_;
    bool shown_ = false;
    std::string goal_;
    std::string unit_;
    Clock::time_point started_ = Clock::now();
    Clock::time_point told_ = Clock::now();
};

}  // namespace sim::cli
