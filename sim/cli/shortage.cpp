#include "cli/shortage.hpp"

#include <fmt/format.h>

#include "sweep/fit.hpp"

namespace sim::cli
{

std::string explain_shortage(const std::string& file, const spec::ExperimentSpec& experiment)
{
    const auto fit = sweep::fit(experiment);
    std::string text;
    for (const auto& tier : fit.tiers) {
        text += fmt::format("{}: does not fit: {}", file, memory::to_words(tier));
    }
    if (fit.gpus_suffice()) {
        return text;
    }
    text += fmt::format("{}: does not fit in memory: {}\n", file, sweep::shortage(fit));
    const auto remedies = sweep::remedies(experiment);
    if (remedies.empty()) {
        return text +
               "  = no single change of sharding, recompute, micro-batch, tensor or "
               "pipeline makes it fit; use more GPUs\n";
    }
    for (const auto& remedy : remedies) {
        text += fmt::format("  = it would fit with {}\n", remedy);
    }
    return text;
}

}  // namespace sim::cli
