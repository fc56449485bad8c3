#include "cli/version.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "engine/simgrid_version.hpp"
#include "results/version.hpp"

namespace sim::cli
{

std::string version_text()
{
    const auto fmt_version =
        fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
    return fmt::format(
        "weftsim {} ({})\ncompiler {}\nHDF5 {}\nSimGrid {}\nCLI11 {}\nfmt {}\nECharts {}\n{}",
        results::version(), results::git_sha(), __VERSION__, results::hdf5_version(),
        engine::simgrid_version(), CLI11_VERSION, fmt_version, results::echarts_version(),
        WEFTSIM_LIBRARY_VERSIONS);
}

}  // namespace sim::cli
