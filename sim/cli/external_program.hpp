#pragma once

#include <string>
#include <vector>

namespace sim::cli
{

/// A file name that is gone when the block ends.
class TemporaryFile
{
public:
    explicit TemporaryFile(std::string path) : path_{std::move(path)} {}
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// Runs a program of the PATH to its end and gives its status. Throws Error when it cannot be
/// run: "cannot run `called` to draw the picture: REASON (`remedy`)".
int run_program(std::vector<std::string> words, const std::string& called,
                const std::string& remedy);

}  // namespace sim::cli
