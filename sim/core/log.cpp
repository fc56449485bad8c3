#include "core/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>
#include <mutex>

namespace sim
{

namespace
{

spdlog::level::level_enum spdlog_level(LogLevel level)
{
    switch (level) {
        case LogLevel::quiet:
            return spdlog::level::warn;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::trace:
            return spdlog::level::trace;
    }
    return spdlog::level::info;
}

spdlog::color_mode colours()
{
    const char* no_color = std::getenv("NO_COLOR");
    const bool refused = no_color != nullptr && *no_color != '\0';
    return refused ? spdlog::color_mode::never : spdlog::color_mode::automatic;
}

std::shared_ptr<spdlog::logger> logger(const std::string& folder)
{
    // spdlog's registry is safe for several threads, but "absent, so make it" is two steps.
    static std::mutex making;
    const std::lock_guard<std::mutex> lock{making};
    if (auto known = spdlog::get(folder)) {
        return known;
    }
    auto made = spdlog::stderr_color_mt(folder, colours());
    made->set_pattern("%n: %^%l%$: %v");
    return made;
}

void write(const std::string& folder, spdlog::level::level_enum level, std::string_view text)
{
    logger(folder)->log(level, "{}", text);
}

}  // namespace

void set_log_level(LogLevel level) { spdlog::set_level(spdlog_level(level)); }

void Log::warning(std::string_view text) const { write(folder_, spdlog::level::warn, text); }
void Log::info(std::string_view text) const { write(folder_, spdlog::level::info, text); }
void Log::debug(std::string_view text) const { write(folder_, spdlog::level::debug, text); }
void Log::trace(std::string_view text) const { write(folder_, spdlog::level::trace, text); }

bool Log::enabled(LogLevel level) const { return logger(folder_)->should_log(spdlog_level(level)); }

}  // namespace sim
