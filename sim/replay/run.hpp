#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "engine/engine.hpp"
#include "formats/timeline.hpp"
#include "replay/observed.hpp"
#include "replay/scaling.hpp"
#include "spec/experiment.hpp"
#include "workload/footprint.hpp"

namespace sim::replay
{

/// Every instant of a rank's step is in exactly one of these.
enum class Entry : std::uint8_t {
    compute_math,
    compute_memory,
    launch,
    exposed_tensor,
    exposed_pipeline,
    exposed_data,
    exposed_context,
    exposed_expert,
    exposed_other,
    offload_dram,     ///< waiting for a copy from or to host memory
    offload_pool,     ///< ... a pooled memory
    offload_storage,  ///< ... drives
    input,            ///< waiting for samples
    host_update,      ///< waiting for the host's cores to update what is offloaded
    checkpoint,       ///< waiting for what is saved
    bubble,           ///< waiting for a pipeline neighbour that has not sent yet
    straggler,        ///< waiting for the last member of a collective
    idle,             ///< nothing left to do until the step ends elsewhere
};
inline constexpr std::size_t kEntries = 18;
[[nodiscard]] const char* name(Entry entry);

/// Communication of one purpose on a rank: time it ran, split by whether compute ran beside it.
struct CommunicationTotals {
    std::string
        purpose;  ///< "tensor", "pipeline", "data", ..., or of copies "dram", "storage", ...
    Time exposed{};
    Time hidden{};
    double bytes_sent = 0;      ///< over the network or NVLink, by one rank, in a step
    double nic_bytes_sent = 0;  ///< the part that crossed the rank's NIC
    std::string
        binding;  ///< resource class that sets its pace ("nic", "pcie", "nvlink", "leaf_spine")
};

/// Ranks that behave the same.
struct RankClass {
    std::uint64_t multiplicity = 1;
    std::vector<std::uint32_t> members;  ///< rank numbers, ascending
    std::uint32_t stage = 0;
    std::array<Time, kEntries> ledger{};  ///< sums to the step
    std::vector<CommunicationTotals> communication;
    std::vector<Lost> lost;         ///< of a watched run: what held its activities back
    std::vector<WaitedFor> waited;  ///< of a watched run: the longest first, a handful
};

/// One class of resources over the steady step.
struct ResourceClass {
    std::string name;  ///< "sm", "hbm", "nvlink", "pcie", "nic", "leaf_spine"
    std::uint64_t members = 0;
    double mean_utilisation = 0;  ///< in [0, 1]
    double peak_utilisation = 0;  ///< the busiest member's mean
    double capacity = 0;          ///< one member's, units/s
};

/// A tier besides the GPUs' memory in a step.
struct TierUse {
    std::string name;
    Bytes capacity{};
    Bytes held{};        ///< by all that share it
    double read = 0;     ///< bytes a step
    double written = 0;  ///< bytes a step
    double years = 0;    ///< until drives are worn out at this rate; 0: never, or not known
    spec::DataTier tier = spec::DataTier::dram;
    std::int64_t gpus = 1;  ///< that share it
};

/// What of one kind lies in the GPUs of a stage, or in a tier that they share, over a step.
struct HeldOverTime {
    std::uint32_t stage = 0;
    std::string tier;  ///< "GPU memory", "host memory of a node", ...
    Bytes capacity{};
    std::string content;
    std::vector<Bytes> bytes;  ///< by bin, at the instant when the tier is fullest
};

/// Bins are equally long. sim/replay/observing.md
struct MemoryOverTime {
    Time bin{};
    std::vector<HeldOverTime> held;
    std::vector<std::uint32_t> stages;
    std::vector<double> micro_batches;  ///< by stage and bin: whose activations a GPU keeps
};

/// Whether ranks that do the same at the same time are simulated once (sim/replay/folding.md).
enum class Fold : std::uint8_t { automatic, off };

struct Options {
    engine::Kind engine = engine::Kind::native;
    Fold fold = Fold::automatic;
    bool audit = true;      ///< sim/replay/audit.md
    bool timeline = false;  ///< record what runs when (sim/formats/timeline.md)
    bool watch = false;     ///< fills Result::observed; sim/replay/observing.md
    Scaling scaling{};      ///< of the machine, for what-if questions
};

/// What a run found. Plain data; results/ writes it, cli/ prints it.
struct Result {
    Time step{};                   ///< steady period
    double tokens_per_second = 0;  ///< the whole job
    double tokens_per_second_per_gpu = 0;
    double model_flops_per_second_per_gpu = 0;
    double mfu = 0;
    double hfu = 0;
    std::vector<RankClass> classes;
    std::vector<ResourceClass> resources;
    std::string binding;                         ///< the resource class that binds the step
    std::vector<workload::Footprint> footprint;  ///< per stage
    MemoryOverTime memory;                       ///< of a watched run of a model
    std::vector<TierUse> tiers;                  ///< that data is kept in or goes through
    std::uint64_t instances = 0;  ///< rank classes that were simulated; all ranks if not folded
    std::string folding;          ///< one line: what was folded, or why nothing
    std::uint64_t activities = 0;
    std::uint64_t fingerprint = 0;  ///< of the ordered (time, task) pairs
    std::vector<std::string> engine_options;
    formats::Timeline timeline;        ///< empty unless it was asked for
    std::optional<Observed> observed;  ///< of a watched run
};

/// Simulates the experiment. Does not check that it fits in memory: see `fit`.
/// Throws InputError, Error, or engine::Stalled; a deadlock names the waiting tasks.
[[nodiscard]] Result run(const spec::ExperimentSpec& experiment, const Options& options);

class Prepared;
/// The same of one among many that are alike.
[[nodiscard]] Result run(const spec::ExperimentSpec& experiment, const Options& options,
                         Prepared& prepared);

}  // namespace sim::replay
