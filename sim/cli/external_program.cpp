#include "cli/external_program.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"

extern char** environ;

namespace sim::cli
{

TemporaryFile::~TemporaryFile()
{
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

int run_program(std::vector<std::string> words, const std::string& called,
                const std::string& remedy)
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
        throw Error{fmt::format("cannot run {} to draw the picture: {} ({})", called,
                                std::strerror(failed), remedy)};
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

}  // namespace sim::cli
