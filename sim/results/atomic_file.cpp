#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "core/error.hpp"
#include "results/file.hpp"

namespace sim::results
{
namespace
{

[[noreturn]] void fail(const std::string& path, int reason)
{
    throw Error{fmt::format("cannot write {}: {}", path, std::strerror(reason))};
}

/// Where the bytes end up: a link is followed, so that it stays one.
std::string target_of(const std::string& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_symlink(path, ignored)) {
        return path;
    }
    const auto target = std::filesystem::weakly_canonical(path, ignored);
    return target.empty() ? path : target.string();
}

constexpr std::string_view kEnding = ".part";

/// "out.h5.1234.part" of "out.h5".
bool is_temporary_of(const std::string& target, const std::string& name)
{
    if (!name.starts_with(target + ".") || !name.ends_with(kEnding) ||
        name.size() <= target.size() + 1 + kEnding.size()) {
        return false;
    }
    const auto number =
        name.substr(target.size() + 1, name.size() - target.size() - 1 - kEnding.size());
    return number.find_first_not_of("0123456789") == std::string::npos;
}

/// What killed writers of the same file left: nobody holds its lock.
void remove_abandoned(const std::string& target, const std::string& own)
{
    const std::filesystem::path path{target};
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{folder, ignored}) {
        const auto name = entry.path().filename().string();
        if (!is_temporary_of(path.filename().string(), name) ||
            name == std::filesystem::path{own}.filename()) {
            continue;
        }
        const int left = open(entry.path().c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
        if (left >= 0 && flock(left, LOCK_EX | LOCK_NB) == 0) {
            unlink(entry.path().c_str());
        }
        if (left >= 0) {
            close(left);
        }
    }
}

/// A file under a name of its own beside the target; gone unless it was renamed.
class Temporary
{
public:
    explicit Temporary(const std::string& path)
        : path_{path}, target_{target_of(path)}, name_{fmt::format("{}.{}.part", target_, getpid())}
    {
        struct stat status {
        };
        if (stat(target_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
            throw Error{fmt::format("cannot write {}: it is not a file", path)};
        }
        descriptor_ = open(name_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
        if (descriptor_ < 0) {
            fail(path_, errno);
        }
        flock(descriptor_, LOCK_EX | LOCK_NB);
        remove_abandoned(target_, name_);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary()
    {
        close_now();
        if (!renamed_) {
            unlink(name_.c_str());
        }
    }

    void append(const std::string& bytes) const
    {
        for (std::size_t done = 0; done < bytes.size();) {
            const auto wrote = write(descriptor_, bytes.data() + done, bytes.size() - done);
            if (wrote < 0 && errno != EINTR) {
                fail(path_, errno);
            }
            done += wrote > 0 ? static_cast<std::size_t>(wrote) : 0;
        }
    }

    void publish()
    {
        if (fsync(descriptor_) != 0) {
            fail(path_, errno);
        }
        // The lock ends with the file, and by then nobody must take it for abandoned.
        if (rename(name_.c_str(), target_.c_str()) != 0 || close_now() != 0) {
            fail(path_, errno);
        }
        renamed_ = true;
        sync_directory();
    }

private:
    int close_now()
    {
        const int closing = descriptor_;
        descriptor_ = -1;
        return closing < 0 ? 0 : close(closing);
    }

    /// The new name must survive a power cut too. Some file systems cannot, and the bytes are safe
    /// by then, so a failure here is not one of the write.
    void sync_directory() const
    {
        const auto parent = std::filesystem::path{target_}.parent_path();
        const int directory =
            open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory >= 0) {
            fsync(directory);
            close(directory);
        }
    }

    std::string path_;
    std::string target_;
    std::string name_;
    int descriptor_ = -1;
    bool renamed_ = false;
};

}  // namespace

void check_writable(const std::string& path) { const Temporary probe{path}; }

void write_atomically(const std::string& path, const std::string& bytes)
{
    Temporary file{path};
    file.append(bytes);
    file.publish();
}

}  // namespace sim::results
