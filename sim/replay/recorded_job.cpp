#include "replay/recorded_job.hpp"

#include <fmt/format.h>

#include "core/log.hpp"
#include "formats/trace_load.hpp"
#include "formats/trace_what_if.hpp"

namespace sim::replay
{

formats::Trace recorded_job(const spec::ExperimentSpec& experiment)
{
    const auto gpus = static_cast<std::uint32_t>(spec::placed_gpus(experiment.cluster));
    auto trace = formats::load_trace(*experiment.trace, gpus);
    if (experiment.trace->recorded_on) {
        formats::take_over(trace, *experiment.trace->recorded_on, experiment.cluster.node.gpu);
    }
    for (const auto& note : trace.notes) {
        Log{"replay"}.warning(
            fmt::format("{}{}{}", note.file, note.file.empty() ? "" : ": ", note.message));
    }
    return trace;
}

}  // namespace sim::replay
