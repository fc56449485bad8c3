#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"
#include "engine/engine.hpp"
#include "replay/run.hpp"

namespace CLI
{
class App;
}

namespace sim::cli
{

inline constexpr auto kDefaultEngine = engine::Kind::native;
inline constexpr int kMostSeeds = 10000;

/// What several commands understand.
struct CommonOptions {
    std::string file;
    std::vector<std::string> settings;  ///< "key=value" each
    std::string output;
    std::string format = "table";
    std::string engine;
    std::string fold = "auto";
    std::string fidelity;  ///< empty: as the experiment says
    bool audit = false;
    bool ignore_memory = false;
    bool quiet = false;
    bool verbose = false;
};

/// FILE, --set, -q and -v.
void add_input_options(CLI::App& command, CommonOptions& options, const std::string& what);
/// -o, --format, --engine, --fold, --fidelity, --audit, --ignore-memory.
void add_simulation_options(CLI::App& command, CommonOptions& options);

/// Sets the level of the log.
void apply_verbosity(const CommonOptions& options);

/// Throws InputError for a setting without "=" or without a key.
[[nodiscard]] std::vector<config::Override> overrides(const CommonOptions& options);
[[nodiscard]] engine::Kind engine_kind(const CommonOptions& options);
[[nodiscard]] replay::Options simulation_options(const CommonOptions& options);

}  // namespace sim::cli
