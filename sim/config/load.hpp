#pragma once

#include <string>
#include <vector>

#include "spec/experiment.hpp"

namespace sim::config
{

/// `--set key=text`: replaces (or adds) the value at a dotted key before anything is read.
struct Override {
    std::string key;
    std::string text;
};

struct LoadedExperiment {
    spec::ExperimentSpec spec;
    std::string input_text;  ///< every file read, verbatim, each under a "# file: NAME" line, then the overrides
    std::string resolved;    ///< the whole experiment as one YAML document, each value with its origin as a comment
};

struct LoadedSweep {
    spec::SweepSpec spec;
    std::string base_path;   ///< of the experiment the points are made from, ready to be opened
    std::string input_text;
};

/// Reads and validates. Throws InputError with every diagnostic at once; the keys of DESIGN 6 are
/// listed in sim/config/README.md.
[[nodiscard]] LoadedExperiment load_experiment(const std::string& path,
                                               const std::vector<Override>& overrides);
[[nodiscard]] LoadedSweep load_sweep(const std::string& path, const std::vector<Override>& overrides);

/// True when the file is a sweep (it has `axes`).
[[nodiscard]] bool is_sweep(const std::string& path);

/// A Hugging Face config.json as it is.
[[nodiscard]] spec::ModelSpec load_model(const std::string& path);

}  // namespace sim::config
