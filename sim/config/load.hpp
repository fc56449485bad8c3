#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/parsed_files.hpp"
#include "config/places.hpp"
#include "spec/experiment.hpp"
#include "spec/sweep.hpp"

namespace sim::config
{

/// `--set key=text`: replaces (or adds) the value at a dotted key before anything is read.
struct Override {
    std::string key;
    std::string text;
};

struct LoadedExperiment {
    spec::ExperimentSpec spec;
    std::string input_text;  ///< every file read, verbatim, each under a "# file: NAME" line, then
                             ///< the overrides
    std::string resolved;    ///< the whole experiment as one YAML document, each value with its
                             ///< origin as a comment
    Places places{};
};

struct LoadedCluster {
    spec::ClusterSpec spec;
    Places places;
};

struct LoadedSweep {
    spec::SweepSpec spec;
    std::vector<Override> overrides;  ///< those given that are not of the sweep file itself: every
                                      ///< point gets them, before its own settings
    std::string base_text;            ///< what the base experiments read, the overrides included
    std::map<std::string, std::string> files;  ///< values that are paths -> what is read there
    std::string input_text;                    ///< all of it, and the sweep file
    Places places{};
};

/// Reads and validates. Throws InputError with every diagnostic at once; the keys of DESIGN 6 are
/// listed in sim/config/README.md.
[[nodiscard]] LoadedExperiment load_experiment(const std::string& path,
                                               const std::vector<Override>& overrides);
/// The same of one among many that share files.
[[nodiscard]] LoadedExperiment load_experiment(const std::string& path,
                                               const std::vector<Override>& overrides,
                                               ParsedFiles& known);
/// Overrides of a sweep's own keys (seeds, output, ...) change the sweep, all others its base.
[[nodiscard]] LoadedSweep load_sweep(const std::string& path,
                                     const std::vector<Override>& overrides);

/// A cluster alone, as files of topologies/ hold it, or that of an experiment; the keys of
/// overrides are the file's.
[[nodiscard]] spec::ClusterSpec load_cluster(const std::string& path,
                                             const std::vector<Override>& overrides);
[[nodiscard]] LoadedCluster load_cluster_with_places(const std::string& path,
                                                     const std::vector<Override>& overrides);

/// True when the file is a sweep: it has `axes` or `points`. False also when it cannot be read;
/// loading it says why.
[[nodiscard]] bool is_sweep(const std::string& path);

/// A Hugging Face config.json as it is.
[[nodiscard]] spec::ModelSpec load_model(const std::string& path);

}  // namespace sim::config
