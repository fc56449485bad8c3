#include "sweep/pool.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include "core/contract.hpp"
#include "core/error.hpp"

namespace sim::sweep
{
namespace
{

constexpr std::size_t kMostText = 16 * 1024;

struct Header {
    std::uint64_t point = 0;
    double best = 0;
    Reply::Kind kind = Reply::Kind::done;
    std::uint8_t status = 0;
};

bool send_reply(int socket, const Reply& reply)
{
    const Header header{reply.point, reply.best, reply.kind, reply.status};
    std::vector<char> message(sizeof header);
    std::memcpy(message.data(), &header, sizeof header);
    const auto length = std::min(reply.text.size(), kMostText);
    message.insert(message.end(), reply.text.begin(),
                   reply.text.begin() + static_cast<std::ptrdiff_t>(length));
    return send(socket, message.data(), message.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(message.size());
}

void limit_memory(std::int64_t bytes)
{
    // Private memory, not address space: a megabyte asked for and not used costs nothing.
    const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
    setrlimit(RLIMIT_DATA, &limit);
}

/// The life of a worker: a point's number in, a reply out, until nobody asks any more.
void serve(int socket, const std::function<Pool::Work()>& make)
{
    auto work = make();
    std::uint64_t point = 0;
    while (recv(socket, &point, sizeof point, 0) == static_cast<ssize_t>(sizeof point)) {
        if (!send_reply(socket, work(point))) {
            return;
        }
    }
}

[[noreturn]] void be_worker(int socket, const std::function<Pool::Work()>& make,
                            const Limits& limits)
{
    // Nobody is left to ask once the parent is gone, however it went.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (limits.memory) {
        limit_memory(*limits.memory);
    }
    try {
        serve(socket, make);
    } catch (const std::exception& error) {
        send_reply(socket, {0, Reply::Kind::cannot_write, 0, 0, error.what()});
    }
    _exit(0);
}

std::string obituary(int status)
{
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        return fmt::format("the process that simulated it was killed by signal {} ({})", number,
                           strsignal(number));
    }
    return fmt::format("the process that simulated it ended with code {}", WEXITSTATUS(status));
}

}  // namespace

Pool::Pool(int workers, std::function<Work()> make, Limits limits)
    : make_{std::move(make)}, limits_{limits}
{
    SIM_EXPECT(workers > 0);
    workers_.resize(static_cast<std::size_t>(workers));
}

Pool::~Pool()
{
    for (auto& worker : workers_) {
        end(worker);
    }
}

void Pool::spawn(Worker& worker)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        throw Error{fmt::format("cannot make a worker: {}", std::strerror(errno))};
    }
    const pid_t child = fork();
    if (child < 0) {
        const int reason = errno;
        close(ends[0]);
        close(ends[1]);
        throw Error{fmt::format("cannot make a worker: {}", std::strerror(reason))};
    }
    if (child == 0) {
        close(ends[0]);
        for (const auto& other : workers_) {
            if (other.socket >= 0) {
                close(other.socket);
            }
        }
        be_worker(ends[1], make_, limits_);
    }
    close(ends[1]);
    worker.process = child;
    worker.socket = ends[0];
}

void Pool::end(Worker& worker)
{
    if (worker.process < 0) {
        return;
    }
    close(worker.socket);
    if (worker.point) {
        kill(worker.process, SIGKILL);
    }
    while (waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
    }
    worker = {};
}

bool Pool::has_idle() const
{
    return std::any_of(workers_.begin(), workers_.end(),
                       [](const Worker& worker) { return !worker.point; });
}

std::size_t Pool::busy() const
{
    return static_cast<std::size_t>(
        std::count_if(workers_.begin(), workers_.end(),
                      [](const Worker& worker) { return worker.point.has_value(); }));
}

void Pool::start(std::size_t point)
{
    const auto idle = std::find_if(workers_.begin(), workers_.end(),
                                   [](const Worker& worker) { return !worker.point; });
    SIM_EXPECT(idle != workers_.end());
    const std::uint64_t number = point;
    constexpr int kAttempts = 2;  // a worker may have died while it was idle
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        if (idle->process < 0) {
            spawn(*idle);
        }
        if (send(idle->socket, &number, sizeof number, MSG_NOSIGNAL) ==
            static_cast<ssize_t>(sizeof number)) {
            idle->point = point;
            idle->started = std::chrono::steady_clock::now();
            return;
        }
        end(*idle);
    }
    throw Error{"cannot reach a worker that was just made"};
}

Reply Pool::lost(Worker& worker, const std::string& why)
{
    const auto point = worker.point.value_or(0);
    close(worker.socket);
    if (!why.empty()) {
        kill(worker.process, SIGKILL);
    }
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    worker = {};
    return {point, Reply::Kind::lost, 0, 0, why.empty() ? obituary(status) : why};
}

std::optional<Reply> Pool::receive(Worker& worker)
{
    std::vector<char> message(sizeof(Header) + kMostText);
    const auto length = recv(worker.socket, message.data(), message.size(), 0);
    if (length < static_cast<ssize_t>(sizeof(Header))) {
        if (!worker.point) {
            end(worker);
            return std::nullopt;
        }
        return lost(worker, "");
    }
    Header header;
    std::memcpy(&header, message.data(), sizeof header);
    const auto point = worker.point.value_or(header.point);
    worker.point.reset();
    return Reply{point, header.kind, header.status, header.best,
                 std::string(message.data() + sizeof header, message.data() + length)};
}

std::chrono::milliseconds Pool::until_deadline(std::chrono::milliseconds longest) const
{
    if (!limits_.time) {
        return longest;
    }
    const auto now = std::chrono::steady_clock::now();
    for (const auto& worker : workers_) {
        if (worker.point) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                *limits_.time - (now - worker.started));
            longest = std::clamp(left + std::chrono::milliseconds{1}, std::chrono::milliseconds{0},
                                 longest);
        }
    }
    return longest;
}

void Pool::stop_late(std::vector<Reply>& replies)
{
    if (!limits_.time) {
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    for (auto& worker : workers_) {
        if (worker.point && now - worker.started >= *limits_.time) {
            replies.push_back(lost(
                worker, fmt::format("took longer than {:g} s (--timeout)", limits_.time->count())));
        }
    }
}

std::vector<Reply> Pool::wait(std::chrono::milliseconds longest, int wake)
{
    std::vector<pollfd> watched{{wake, POLLIN, 0}};
    std::vector<Worker*> owners{nullptr};
    for (auto& worker : workers_) {
        if (worker.process >= 0) {
            watched.push_back({worker.socket, POLLIN, 0});
            owners.push_back(&worker);
        }
    }
    poll(watched.data(), watched.size(), static_cast<int>(until_deadline(longest).count()));
    std::vector<Reply> replies;
    for (std::size_t i = 1; i < watched.size(); ++i) {
        if (watched[i].revents != 0) {
            if (auto reply = receive(*owners[i])) {
                replies.push_back(std::move(*reply));
            }
        }
    }
    stop_late(replies);
    return replies;
}

}  // namespace sim::sweep
