#pragma once

#include <memory>

#include "engine/engine.hpp"

namespace sim::engine
{

/// The witness: SimGrid 3.32 behind the seam. At most one a process (see isolated.hpp), and all
/// its resources are added before its first run. sim/engine/simgrid.md says how.
[[nodiscard]] std::unique_ptr<Engine> make_simgrid_engine();

}  // namespace sim::engine
