#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <utility>

#include "cli/output.hpp"

namespace sim::cli
{
namespace
{

constexpr auto kRewrite = std::chrono::milliseconds{100};
constexpr auto kLine = std::chrono::seconds{30};
constexpr std::size_t kBarWidth = 24;

std::string left(double seconds)
{
    if (seconds < 90) {
        return fmt::format("{:.0f} s", std::ceil(seconds));
    }
    const auto minutes = static_cast<long>(std::ceil(seconds / 60));
    return minutes < 90 ? fmt::format("{} min", minutes)
                        : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace

std::string bar_text(const std::string& what, std::size_t done, std::size_t all, double elapsed)
{
    const auto filled = all == 0 ? kBarWidth : kBarWidth * done / all;
    auto text = fmt::format("[{}{}] {} of {} {}", std::string(filled, '#'),
                            std::string(kBarWidth - filled, ' '), done, all, what);
    if (done > 0 && elapsed > 0) {
        const double rate = static_cast<double>(done) / elapsed;
        text +=
            fmt::format(", {:.2g}/s, {} left", rate, left(static_cast<double>(all - done) / rate));
    }
    return text;
}

ProgressBar::ProgressBar(std::string what, bool quiet)
    : what_{std::move(what)},
      way_{quiet                        ? Way::silent
           : isatty(STDERR_FILENO) != 0 ? Way::bar
                                        : Way::lines},
      begun_{Clock::now()},
      told_{begun_}
{
}

void ProgressBar::show(std::size_t done, std::size_t all, const std::string& note) const
{
    const auto begun_with = first_.value_or(done);
    first_ = begun_with;
    const auto now = Clock::now();
    const bool over = done >= all;
    if (way_ == Way::silent || (!over && now - told_ < (way_ == Way::bar ? kRewrite : kLine)) ||
        (over && way_ == Way::lines)) {
        return;
    }
    told_ = now;
    const double elapsed = std::chrono::duration<double>(now - begun_).count();
    // As if all had taken as long as those that were done meanwhile.
    const double each = done > begun_with ? elapsed / static_cast<double>(done - begun_with) : 0;
    const auto text = bar_text(what_, done, all, each * static_cast<double>(done)) + note;
    if (way_ == Way::lines) {
        complain(text);
        return;
    }
    // The line is gone when the work is done.
    std::fputs(("\r\033[K" + (over ? std::string{} : text)).c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace sim::cli
