#include "cli/graphviz.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "cli/external_program.hpp"
#include "core/error.hpp"

namespace sim::cli
{
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
    const TemporaryFile source{path + ".dot.part"};
    write_text(source.path(), picture);
    const int status = run_program({"dot", "-Tsvg", "-o", path, source.path()}, "Graphviz's dot",
                                   "install the package graphviz, or write --dot");
    if (status != 0) {
        throw Error{fmt::format("Graphviz's dot failed to draw {}", path)};
    }
}

}  // namespace sim::cli
