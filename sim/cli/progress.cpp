#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace sim::cli
{
namespace
{

using namespace std::chrono_literals;

constexpr auto kBetweenFrames = 100ms;
constexpr auto kBetweenLines = 30s;

/// "8 s", "3 min", "2 h 5 min": as precise as it deserves.
std::string rough(double seconds)
{
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 100) {
        return fmt::format("{} s", whole);
    }
    const auto minutes = whole / 60;
    return minutes < 100 ? fmt::format("{} min", minutes)
                         : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace

ProgressLine::ProgressLine(bool quiet, std::string goal, std::string unit)
    : quiet_{quiet},
      terminal_{isatty(STDERR_FILENO) != 0},
      goal_{std::move(goal)},
      unit_{std::move(unit)}
{
}

ProgressLine::~ProgressLine()
{
    if (shown_ && terminal_) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
    }
}

std::string ProgressLine::text(const sweep::Progress& progress,
                               std::chrono::duration<double> elapsed) const
{
    std::string aside;
    if (progress.kept > 0) {
        aside = fmt::format("{} kept", progress.kept);
    }
    if (progress.failed > 0) {
        aside += fmt::format("{}{} failed", aside.empty() ? "" : ", ", progress.failed);
    }
    auto text = fmt::format("{} of {} points{}", progress.done + progress.kept, progress.points,
                            aside.empty() ? "" : " (" + aside + ")");
    if (progress.done > 0 && elapsed.count() > 0) {
        const double rate = static_cast<double>(progress.done) / elapsed.count();
        const auto left = progress.points - progress.done - progress.kept;
        text += fmt::format(", {:.3g}/s, {} left", rate, rough(static_cast<double>(left) / rate));
    }
    if (!goal_.empty() && !std::isnan(progress.best)) {
        text += fmt::format(", best {} {:.4g}{}{}", goal_, std::abs(progress.best),
                            unit_ == "1" ? "" : " ", unit_ == "1" ? "" : unit_);
    }
    return text;
}

void ProgressLine::operator()(const sweep::Progress& progress)
{
    const auto now = Clock::now();
    const bool last = progress.done + progress.kept == progress.points;
    const Clock::duration pause = terminal_ ? Clock::duration{kBetweenFrames} : kBetweenLines;
    if (quiet_ || (now - told_ < pause && !(terminal_ && last))) {
        return;
    }
    told_ = now;
    shown_ = true;
    const auto line = text(progress, now - started_);
    std::fputs(terminal_ ? fmt::format("\r\033[K{}", line).c_str() : (line + "\n").c_str(),
               stderr);
    std::fflush(stderr);
}

}  // namespace sim::cli
