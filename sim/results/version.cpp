#include "results/version.hpp"

namespace sim::results
{

std::string version() { return WEFTSIM_VERSION; }

std::string git_sha() { return WEFTSIM_GIT_SHA; }

}  // namespace sim::results
