#include "cli/gnuplot.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "cli/external_program.hpp"
#include "cli/graphviz.hpp"
#include "core/error.hpp"
#include "results/file.hpp"

namespace sim::cli
{
namespace
{

/// gnuplot's quotes: two of them are one.
std::string quoted(const std::string& path)
{
    std::string text = "'";
    for (const char c : path) {
        text += c == '\'' ? "''" : std::string{c};
    }
    return text + "'";
}

}  // namespace

void draw_with_gnuplot(const std::string& script, const std::string& path)
{
    results::check_writable(path);
    const TemporaryFile source{fmt::format("{}.{}.gnuplot.part", path, getpid())};
    const TemporaryFile picture{fmt::format("{}.{}.picture.part", path, getpid())};
    write_text(source.path(), fmt::format("set output {}\n{}", quoted(picture.path()), script));
    const int status =
        run_program({"gnuplot", source.path()}, "gnuplot", "install the package gnuplot-nox");
    std::ostringstream bytes;
    bytes << std::ifstream{picture.path(), std::ios::binary}.rdbuf();
    if (status != 0 || bytes.str().empty()) {
        throw Error{fmt::format("gnuplot failed to draw {}", path)};
    }
    results::write_atomically(path, bytes.str());
}

}  // namespace sim::cli
