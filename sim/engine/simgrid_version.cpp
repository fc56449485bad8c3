#include "engine/simgrid_version.hpp"

#include <fmt/format.h>
#include <simgrid/forward.h>
#include <simgrid/version.h>

namespace sim::engine
{

std::string simgrid_version()
{
    int major = 0;
    int minor = 0;
    int patch = 0;
    sg_version_get(&major, &minor, &patch);
    return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace sim::engine
