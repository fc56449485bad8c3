#pragma once

#include <string>
#include <string_view>

namespace sim
{

enum class LogLevel {
    quiet,  ///< warnings only
    info,   ///< a few lines a run
    debug,
    trace,  ///< the only level at which an event handler may speak
};

/// For the whole process; `info` until set.
void set_log_level(LogLevel level);

/// One folder's voice on stderr: `fabric: info: 32 leaves, 16 spines`. Never an interface: what a
/// person needs later goes into the result file. Honours NO_COLOR.
class Log
{
public:
    explicit Log(std::string_view folder) : folder_{folder} {}

    void warning(std::string_view text) const;
    void info(std::string_view text) const;
    void debug(std::string_view text) const;
    void trace(std::string_view text) const;
    [[nodiscard]] bool enabled(LogLevel level) const;  ///< before text that is dear to make

private:
    std::string folder_;
};

}  // namespace sim
