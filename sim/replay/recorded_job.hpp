#pragma once

#include "formats/trace.hpp"
#include "spec/experiment.hpp"

namespace sim::replay
{

/// The experiment's recorded job, with what it asks to be different, and what was put right said
/// aloud. Throws Error, InputError.
[[nodiscard]] formats::Trace recorded_job(const spec::ExperimentSpec& experiment);

}  // namespace sim::replay
