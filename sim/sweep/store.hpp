#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sweep/record.hpp"

namespace sim::sweep
{

/// What must be the same for kept points to be used again: name and value of each.
using Identity = std::vector<std::pair<std::string, std::string>>;

/// The folder where a sweep keeps its points until they are one file, and from where it goes on
/// after a crash: `sweep.json` says what they are points of, every worker adds lines to a shard of
/// its own. Whatever happens to a writer, lines that are whole stay.
class Store
{
public:
    /// Makes the folder, or opens the one that is there. Throws InputError when it holds the points
    /// of another sweep, with the difference; Error when it cannot be used.
    Store(std::string folder, const Identity& identity);

    /// Takes away what an earlier sweep left there. Throws Error.
    static void discard(const std::string& folder);
    [[nodiscard]] static bool exists(const std::string& folder);

    [[nodiscard]] const std::string& folder() const { return folder_; }

    /// Every whole record of every shard; of several with one id the last that is done.
    [[nodiscard]] std::unordered_map<std::uint64_t, results::Point> read() const;

    /// Ids of the points that need not be simulated again: done, or known not to fit.
    [[nodiscard]] std::vector<std::uint64_t> settled() const;

private:
    std::string folder_;
};

/// One file that one process adds records to.
class Shard
{
public:
    /// A new one, with a name nobody has. Throws Error.
    explicit Shard(const std::string& folder);
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;
    ~Shard();

    /// The whole record, or nothing of it: throws Error, the shard then ends with the last one.
    void add(const Record& record);

private:
    std::string path_;
    int file_ = -1;
    std::int64_t size_ = 0;
};

}  // namespace sim::sweep
