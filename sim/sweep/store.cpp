#include "sweep/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/diagnostics.hpp"
#include "core/error.hpp"
#include "results/file.hpp"

namespace sim::sweep
{
namespace
{

namespace fs = std::filesystem;

constexpr const char* kIdentityFile = "sweep.json";
constexpr const char* kShardEnding = ".points";
constexpr int kMostShards = 100'000;

[[noreturn]] void failed(const std::string& what, const std::string& path, int reason)
{
    throw Error{fmt::format("cannot {} {}: {}", what, path, std::strerror(reason))};
}

std::string text_of(const fs::path& path)
{
    std::ifstream file{path, std::ios::binary};
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
        failed("read", path.string(), errno);
    }
    return text.str();
}

std::string shortened(const std::string& text)
{
    constexpr std::size_t kMost = 60;
    return text.size() > kMost ? text.substr(0, kMost) + "..." : text;
}

/// "seeds: 3, now 20"; of long texts the first line that differs.
std::string difference(const std::string& name, const std::string& then, const std::string& now)
{
    std::istringstream old_lines{then};
    std::istringstream new_lines{now};
    std::string before;
    std::string after;
    do {
        before.clear();
        after.clear();
        if (!std::getline(old_lines, before) && !std::getline(new_lines, after)) {
            break;
        }
        if (after.empty()) {
            std::getline(new_lines, after);
        }
    } while (before == after);
    return fmt::format("{}: then \"{}\", now \"{}\"", name, shortened(before), shortened(after));
}

void compare(const std::string& folder, const nlohmann::json& kept, const Identity& identity)
{
    for (const auto& [name, value] : identity) {
        const auto then = kept.value(name, std::string{});
        if (then != value) {
            refuse("",
                   fmt::format("{} holds points of another sweep ({})", folder,
                               difference(name, then, value)),
                   "write --fresh to throw them away, or -o with another file to keep them");
        }
    }
}

bool is_shard(const fs::path& path) { return path.extension() == kShardEnding; }

std::vector<fs::path> shards_in(const std::string& folder)
{
    std::vector<fs::path> shards;
    for (const auto& entry : fs::directory_iterator{folder}) {
        if (is_shard(entry.path())) {
            shards.push_back(entry.path());
        }
    }
    // The order in which the system lists them must not decide which record is last.
    std::sort(shards.begin(), shards.end());
    return shards;
}

template <class Visit>
void for_each_record(const std::string& folder, Visit visit)
{
    for (const auto& shard : shards_in(folder)) {
        std::ifstream file{shard, std::ios::binary};
        for (std::string line; std::getline(file, line);) {
            if (auto record = from_line(line)) {
                visit(std::move(*record));
            }
        }
    }
}

/// False when the file was taken away, also when another one has its name by now.
bool stands_at(int file, const std::string& path)
{
    struct stat own {
    };
    struct stat found {
    };
    return fstat(file, &own) == 0 && stat(path.c_str(), &found) == 0 &&
           own.st_dev == found.st_dev && own.st_ino == found.st_ino;
}

bool is_settled(results::Status status)
{
    return status == results::Status::done || status == results::Status::does_not_fit;
}

}  // namespace

Store::Store(std::string folder, const Identity& identity) : folder_{std::move(folder)}
{
    try {
        fs::create_directories(folder_);
        const auto path = fs::path{folder_} / kIdentityFile;
        if (fs::exists(path)) {
            const auto kept = nlohmann::json::parse(text_of(path), nullptr, false);
            compare(folder_, kept.is_object() ? kept : nlohmann::json::object(), identity);
            return;
        }
        if (!shards_in(folder_).empty()) {
            refuse("", fmt::format("{} holds points without saying of which sweep", folder_),
                   "write --fresh to throw them away");
        }
        nlohmann::ordered_json json;
        for (const auto& [name, value] : identity) {
            json[name] = value;
        }
        results::write_atomically(
            path.string(),
            json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    } catch (const fs::filesystem_error& error) {
        throw Error{fmt::format("cannot use {}: {}", folder_, error.code().message())};
    }
}

bool Store::exists(const std::string& folder)
{
    std::error_code error;
    return fs::exists(fs::path{folder} / kIdentityFile, error);
}

void Store::discard(const std::string& folder)
{
    std::error_code error;
    if (!fs::exists(folder, error)) {
        return;
    }
    // Only what a store makes: a folder that is called so for another reason keeps its files.
    for (const auto& entry : fs::directory_iterator{folder, error}) {
        if (is_shard(entry.path()) || entry.path().filename() == kIdentityFile) {
            fs::remove(entry.path(), error);
        }
    }
    fs::remove(folder, error);
    if (exists(folder)) {
        throw Error{fmt::format("cannot empty {}: {}", folder, error.message())};
    }
}

std::unordered_map<std::uint64_t, results::Point> Store::read() const
{
    std::unordered_map<std::uint64_t, results::Point> points;
    for_each_record(folder_, [&](Record record) {
        const auto [at, fresh] = points.try_emplace(record.id, std::move(record.point));
        if (!fresh && !is_settled(at->second.status)) {
            at->second = std::move(record.point);
        }
    });
    return points;
}

std::vector<std::uint64_t> Store::settled() const
{
    std::vector<std::uint64_t> ids;
    for_each_record(folder_, [&](const Record& record) {
        if (is_settled(record.point.status)) {
            ids.push_back(record.id);
        }
    });
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

Shard::Shard(const std::string& folder)
{
    for (int number = 0; number < kMostShards && file_ < 0; ++number) {
        path_ = fmt::format("{}/{:05}{}", folder, number, kShardEnding);
        file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (file_ < 0 && errno != EEXIST) {
            failed("make", path_, errno);
        }
    }
    if (file_ < 0) {
        failed("make", path_, EEXIST);
    }
}

Shard::~Shard()
{
    if (size_ == 0 && stands_at(file_, path_)) {
        unlink(path_.c_str());
    }
    close(file_);
}

void Shard::add(const Record& record)
{
    const auto line = to_line(record);
    std::size_t written = 0;
    while (written < line.size()) {
        const auto n = write(file_, line.data() + written, line.size() - written);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            const int reason = n < 0 ? errno : ENOSPC;
            // A half line would be skipped anyway; without it the next one begins cleanly.
            static_cast<void>(ftruncate(file_, size_));
            failed("write", path_, reason);
        }
        written += static_cast<std::size_t>(n);
    }
    // A file that was taken away still takes bytes; nobody would ever see them.
    if (!stands_at(file_, path_)) {
        failed("find", path_, ENOENT);
    }
    size_ += static_cast<std::int64_t>(line.size());
}

}  // namespace sim::sweep
