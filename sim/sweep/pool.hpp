#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sim::sweep
{

/// How a point ended, in a few bytes.
struct Reply {
    enum class Kind : std::uint8_t {
        done,          ///< recorded, whatever its status
        cannot_write,  ///< the world failed: `text` says how; nothing was recorded
        lost,          ///< the process died or was stopped: `text` says how; nothing was recorded
    };
    std::size_t point = 0;
    Kind kind = Kind::done;
    std::uint8_t status = 0;  ///< results::Status
    double best = 0;          ///< value of the first goal; NaN without one
    std::string text;
};

struct Limits {
    std::optional<std::chrono::duration<double>> time;  ///< a point may take
    std::optional<std::int64_t> memory;                 ///< a worker may have, bytes
};

/// Processes that simulate points, so that a crash costs one point. A worker that dies is replaced.
class Pool
{
public:
    using Work = std::function<Reply(std::size_t point)>;

    /// `make` is called once in every worker, before its first point.
    Pool(int workers, std::function<Work()> make, Limits limits);
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool();  ///< kills what still runs

    [[nodiscard]] bool has_idle() const;
    [[nodiscard]] std::size_t busy() const;
    void start(std::size_t point);

    /// Waits until a point ends, at most so long, or until `wake` can be read.
    [[nodiscard]] std::vector<Reply> wait(std::chrono::milliseconds longest, int wake);

private:
    struct Worker {
        pid_t process = -1;
        int socket = -1;
        std::optional<std::size_t> point;
        std::chrono::steady_clock::time_point started;
    };

    void spawn(Worker& worker);
    void end(Worker& worker);
    [[nodiscard]] std::optional<Reply> receive(Worker& worker);
    [[nodiscard]] Reply lost(Worker& worker, const std::string& why);
    [[nodiscard]] std::chrono::milliseconds until_deadline(std::chrono::milliseconds longest) const;
    void stop_late(std::vector<Reply>& replies);

    std::function<Work()> make_;
    Limits limits_;
    std::vector<Worker> workers_;
};

}  // namespace sim::sweep
