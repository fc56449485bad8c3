#include "compute/peak.hpp"

#include <fmt/format.h>

namespace sim::compute
{

FlopRate peak(spec::Precision precision, const spec::GpuSpec& gpu)
{
    const auto found = gpu.peak.find(precision);
    if (found == gpu.peak.end()) {
        const auto name = spec::precision_name(precision);
        sim::refuse("gpu.peak",
                    fmt::format("{} has no {} rate, which the work needs", gpu.name, name),
                    fmt::format("give gpu.peak.{} or choose another precision", name));
    }
    return found->second;
}

}  // namespace sim::compute
