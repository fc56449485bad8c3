#pragma once

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/tiers.hpp"

namespace sim::spec
{

/// Samples that the ranks of the first stage load for each step.
struct InputSpec {
    Bytes per_sequence{};
    DataTier from = DataTier::storage;
    bool through_dram = true;  ///< drives are read into host memory first, as data loaders do
    int prefetch = 1;          ///< steps ahead of their use; 0: loaded when the step begins
    friend bool operator==(const InputSpec&, const InputSpec&) = default;
};

[[nodiscard]] Diagnostics validate(const InputSpec& input, const std::string& key);

}  // namespace sim::spec
