#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace sim::cli
{

/// How far long work is, on stderr: on a terminal a bar with rate and time left, rewritten a few
/// times a second and gone at the end; elsewhere a line every half minute; with -q nothing.
class ProgressBar
{
public:
    ProgressBar(std::string what, bool quiet);

    /// What was done at the first call does not count for the rate. `note` stands at the end.
    void show(std::size_t done, std::size_t all, const std::string& note = {}) const;

private:
    enum class Way { silent, bar, lines };

    using Clock = std::chrono::steady_clock;
    std::string what_;
    Way way_;
    Clock::time_point begun_;
    mutable Clock::time_point told_;
    mutable std::optional<std::size_t> first_;
};

/// "[#####     ] 12 of 40 points, 3.1/s, 9 s left": at most `width` characters.
[[nodiscard]] std::string bar_text(const std::string& what, std::size_t done, std::size_t all,
                                   double elapsed);

}  // namespace sim::cli
