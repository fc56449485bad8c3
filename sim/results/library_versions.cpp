#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

#include "results/report_assets.hpp"
#include "results/version.hpp"

namespace sim::results
{

std::string hdf5_version()
{
    unsigned major = 0;
    unsigned minor = 0;
    unsigned release = 0;
    H5get_libversion(&major, &minor, &release);
    return fmt::format("{}.{}.{}", major, minor, release);
}

/// The library says it itself: version="5.6.0".
std::string echarts_version()
{
    const auto charts = assets::charts();
    constexpr std::string_view kMark = ".version=\"";
    const auto at = charts.find(kMark);
    if (at == std::string_view::npos) {
        return charts.empty() ? "none" : "unknown";
    }
    const auto from = at + kMark.size();
    return std::string{charts.substr(from, charts.find('"', from) - from)};
}

}  // namespace sim::results
