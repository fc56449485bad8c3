#pragma once

#include <string>

namespace sim::cli
{

/// Has gnuplot draw `script`, which sets no output, to `path`. Throws Error when there is no
/// gnuplot or it fails; the old file stays then.
void draw_with_gnuplot(const std::string& script, const std::string& path);

}  // namespace sim::cli
