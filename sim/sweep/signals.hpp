#pragma once

#include <csignal>

namespace sim::sweep
{

/// SIGINT and SIGTERM as something to read instead of something that interrupts, while it lives.
class Signals
{
public:
    Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals();

    /// Readable once one of them came.
    [[nodiscard]] int file() const { return file_; }
    /// The one that came first; 0: none yet.
    [[nodiscard]] int caught();

private:
    sigset_t before_;
    int file_ = -1;
    int caught_ = 0;
};

}  // namespace sim::sweep
