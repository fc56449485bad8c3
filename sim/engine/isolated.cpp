#include "engine/isolated.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/contract.hpp"
#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "engine/engine.hpp"
#include "engine/isolated_wire.hpp"

namespace sim::engine
{
namespace
{

/// What the first byte of the child's message says the rest is.
enum class Outcome : char { result, error, input_error, stalled, contract, argument, other };

/// Closes on every way out; -1 is closed.
class Descriptor
{
public:
    explicit Descriptor(int number) : number_{number} {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int number() const { return number_; }
    void close()
    {
        if (number_ >= 0) {
            ::close(number_);
            number_ = -1;
        }
    }

private:
    int number_;
};

[[noreturn]] void system_failed(std::string_view doing)
{
    throw Error(fmt::format("{}: {}", doing, std::strerror(errno)));
}

std::string message(Outcome outcome, std::string_view text)
{
    std::string bytes(1, static_cast<char>(outcome));
    return bytes.append(text);
}

/// InputError comes before its base, and every kind before std::exception.
std::string run_to_message(const std::function<std::string()>& work)
{
    try {
        return message(Outcome::result, work());
    } catch (const InputError& problem) {
        return message(Outcome::input_error, to_wire(problem.diagnostics()));
    } catch (const Error& problem) {
        return message(Outcome::error, problem.what());
    } catch (const Stalled& problem) {
        return message(Outcome::stalled, problem.what());
    } catch (const ContractViolation& problem) {
        return message(Outcome::contract, problem.what());
    } catch (const std::invalid_argument& problem) {
        return message(Outcome::argument, problem.what());
    } catch (const std::exception& problem) {
        return message(Outcome::other, problem.what());
    }
}

bool write_all(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return true;
}

std::string read_all(int descriptor)
{
    std::string bytes;
    char block[1 << 16];
    for (;;) {
        const auto count = ::read(descriptor, block, sizeof block);
        if (count > 0) {
            bytes.append(block, static_cast<std::size_t>(count));
        } else if (count == 0) {
            return bytes;
        } else if (errno != EINTR) {
            system_failed("reading from the child process of a simulation");
        }
    }
}

int wait_for(pid_t child)
{
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            system_failed("waiting for the child process of a simulation");
        }
    }
    return status;
}

/// Empty when the child ended as it should.
std::string death_of(int status)
{
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        return fmt::format("the child process of a simulation was killed by signal {} ({})", number,
                           ::strsignal(number));
    }
    if (WEXITSTATUS(status) != 0) {
        return fmt::format("the child process of a simulation ended with exit code {}",
                           WEXITSTATUS(status));
    }
    return {};
}

std::string unpack(std::string_view bytes)
{
    if (bytes.empty()) {
        throw Error("the child process of a simulation ended without an answer");
    }
    std::string text{bytes.substr(1)};
    switch (static_cast<Outcome>(bytes.front())) {
        case Outcome::result:
            return text;
        case Outcome::error:
            throw Error(text);
        case Outcome::input_error:
            throw InputError(diagnostics_from_wire(text));
        case Outcome::stalled:
            throw Stalled(text);
        case Outcome::contract:
            throw ContractViolation(text);
        case Outcome::argument:
            throw std::invalid_argument(text);
        case Outcome::other:
            throw std::runtime_error(text);
    }
    throw Error("the child process of a simulation sent an answer of unknown kind");
}

/// Leaves without running destructors or atexit handlers, which belong to the parent.
[[noreturn]] void child_main(Descriptor& out, const std::function<std::string()>& work)
{
    std::signal(SIGPIPE, SIG_IGN);
    const bool written = write_all(out.number(), run_to_message(work));
    std::fflush(nullptr);
    std::cout.flush();
    std::clog.flush();
    ::_exit(written ? 0 : 1);
}

}  // namespace

std::string in_child(const std::function<std::string()>& work)
{
    // What the parent has buffered would otherwise be written twice.
    std::cout.flush();
    std::clog.flush();
    std::fflush(nullptr);

    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        system_failed("making a pipe to the child process of a simulation");
    }
    Descriptor in{ends[0]};
    Descriptor out{ends[1]};
    const pid_t child = ::fork();
    if (child < 0) {
        system_failed("starting the child process of a simulation");
    }
    if (child == 0) {
        in.close();
        child_main(out, work);
    }
    out.close();

    std::string bytes;
    std::optional<Error> broken;
    try {
        bytes = read_all(in.number());
    } catch (const Error& problem) {
        broken = problem;
    }
    // Waited for on every path, so no zombie stays; closing first frees a child that still writes.
    in.close();
    const std::string death = death_of(wait_for(child));
    if (broken) {
        throw *broken;
    }
    if (!death.empty()) {
        throw Error(death);
    }
    return unpack(bytes);
}

}  // namespace sim::engine
