#include "cli/graphviz.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/error.hpp"

extern char** environ;

namespace sim::cli
{
namespace
{

/// A file that is gone when the block ends.
class TemporaryFile
{
public:
    explicit TemporaryFile(const std::string& beside) : path_{beside + ".dot.part"} {}
    ~TemporaryFile()
    {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

int run(std::vector<std::string> words)
{
    std::vector<char*> arguments;
    for (auto& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int failed =
        posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
    if (failed != 0) {
        throw Error{
            fmt::format("cannot run Graphviz's dot to draw the picture: {} (install the "
                        "package graphviz, or write --dot)",
                        std::strerror(failed))};
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

}  // namespace

void write_text(const std::string& path, const std::string& text)
{
    std::ofstream file{path, std::ios::binary};
    file << text;
    file.close();
    if (!file) {
        throw Error{fmt::format("cannot write {}: {}", path, std::strerror(errno))};
    }
}

void write_svg(const std::string& path, const std::string& picture)
{
    const TemporaryFile source{path};
    write_text(source.path(), picture);
    const int status = run({"dot", "-Tsvg", "-o", path, source.path()});
    if (status != 0) {
        throw Error{fmt::format("Graphviz's dot failed to draw {}", path)};
    }
}

}  // namespace sim::cli
