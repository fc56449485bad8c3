#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/activation_table.hpp"
#include "core/quantity.hpp"
#include "sweep/fit.hpp"

namespace sim::cli
{

/// A change after which the job fits.
struct WayToFit {
    std::string keys;
    Bytes needed{};
    std::int64_t gpus = 0;
    std::optional<Time> step{};  ///< absent: not simulated, or its machine cannot be built
};

struct FitReport {
    std::string plan;  ///< how ranks and layers are divided, lines
    std::vector<LayerActivations> activations;
    sweep::Fit fit;
    std::optional<Time> step{};  ///< as it is, when it fits
    bool with_steps = true;
    std::vector<WayToFit> ways;
};

[[nodiscard]] std::string fit_table(const FitReport& report);
/// A row a stage, then a row a way.
[[nodiscard]] std::string fit_csv(const FitReport& report);
[[nodiscard]] std::string fit_json(const FitReport& report);

}  // namespace sim::cli
