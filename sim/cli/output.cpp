#include "cli/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.hpp"

namespace sim::cli
{

void print(const std::string& answer)
{
    for (std::size_t done = 0; done < answer.size();) {
        const auto wrote = write(STDOUT_FILENO, answer.data() + done, answer.size() - done);
        if (wrote < 0 && errno != EINTR) {
            throw Error{std::string{"cannot write to standard output: "} + std::strerror(errno)};
        }
        done += wrote > 0 ? static_cast<std::size_t>(wrote) : 0;
    }
}

void complain(const std::string& line)
{
    std::fputs(line.c_str(), stderr);
    if (line.empty() || line.back() != '\n') {
        std::fputc('\n', stderr);
    }
}

}  // namespace sim::cli
