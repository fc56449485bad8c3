#include "sweep/signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace sim::sweep
{

Signals::Signals()
{
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGTERM);
    sigprocmask(SIG_BLOCK, &watched, &before_);
    file_ = signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
    if (file_ < 0) {
        const int reason = errno;
        sigprocmask(SIG_SETMASK, &before_, nullptr);
        throw Error{std::string{"cannot watch for signals: "} + std::strerror(reason)};
    }
}

Signals::~Signals()
{
    close(file_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int Signals::caught()
{
    signalfd_siginfo found;
    if (caught_ == 0 && read(file_, &found, sizeof found) == static_cast<ssize_t>(sizeof found)) {
        caught_ = static_cast<int>(found.ssi_signo);
    }
    return caught_;
}

}  // namespace sim::sweep
