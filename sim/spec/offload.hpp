#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/diagnostics.hpp"
#include "core/quantity.hpp"
#include "spec/tiers.hpp"

namespace sim::spec
{

/// Where a kind of a rank's data lives, and how much of it; the rest is in its GPU's memory.
struct Residence {
    DataTier tier = DataTier::hbm;
    double share = 1;  ///< in [0, 1]
    /// Of activations: those of each chunk's first so many layers; absent: of all.
    std::optional<int> layers{};

    [[nodiscard]] double away() const { return tier == DataTier::hbm || layers == 0 ? 0 : share; }
    friend bool operator==(const Residence&, const Residence&) = default;
};

/// Pinned host memory that a rank's copies go through; also what is staged of a tier at once.
struct StagingSpec {
    int count = 2;
    Bytes size{};
    bool adaptive = false;  ///< as large as the state of the largest layer, whatever `size` is
    friend bool operator==(const StagingSpec&, const StagingSpec&) = default;
};

/// What of a step's data lives outside the GPUs, and when it moves. sim/workload/offload.md
struct OffloadSpec {
    std::string name{};
    Residence weights{};
    Residence gradients{};  ///< updated on the host: its share is the optimiser's
    Residence optimizer{};
    Residence activations{};
    Residence cache{};  ///< keys and values of the tokens before, where tokens are generated
    bool update_on_host = false;     ///< the optimiser runs on the cores, where its state is staged
    bool overlapped_update = false;  ///< a part begins when its gradients have arrived, not all
    bool delayed_update = false;     ///< the next step computes with the weights before it
    bool blocking = false;           ///< compute stands still while anything is copied
    bool through_dram = true;        ///< between drives and GPUs by host memory, else straight
    int prefetch = 1;                ///< parts of the model fetched ahead of their use
    StagingSpec buffers{};
    double host_overhead = 0;  ///< pinned beside what is held in host memory, as a share of it
    friend bool operator==(const OffloadSpec&, const OffloadSpec&) = default;
};

/// Nothing lives anywhere else: the policy is no policy.
[[nodiscard]] bool moves_nothing(const OffloadSpec& offload);

/// Anything lives in the tier.
[[nodiscard]] bool uses(const OffloadSpec& offload, DataTier tier);

[[nodiscard]] Diagnostics validate(const OffloadSpec& offload, const std::string& key);

}  // namespace sim::spec
