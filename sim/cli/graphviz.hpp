#pragma once

#include <string>

namespace sim::cli
{

/// Writes the file, or throws Error.
void write_text(const std::string& path, const std::string& text);

/// Has Graphviz's `dot` lay the picture out as SVG. Throws Error when it is not installed or fails.
void write_svg(const std::string& path, const std::string& picture);

}  // namespace sim::cli
