#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/quantity.hpp"

namespace sim::replay
{

/// Time that a rank's activities lost, by the class of resources that held them back.
struct Lost {
    std::string resource;
    Time kernels{};    ///< longer than alone on an idle machine
    Time transfers{};  ///< the same of collectives and copies
};

/// How long a rank waited for another, at a collective that the other reached last.
struct WaitedFor {
    std::uint32_t rank = 0;
    Time time{};
};

/// One class of resources over the step, in bins of equal length.
struct Timeline {
    std::string resource;
    std::vector<double> mean;  ///< of the class's capacity
    std::vector<double> peak;  ///< the highest of any instant in the bin
};

/// What a group of ranks sends over a link in a step.
struct Crossing {
    std::string purpose;
    std::uint32_t first_rank = 0;  ///< of the group
    std::uint32_t last_rank = 0;
    std::uint32_t ranks = 0;
    double bytes = 0;
};

struct BusyLink {
    std::string name;
    std::string kind;
    std::uint64_t members = 1;  ///< links that are loaded alike, this one included
    double utilisation = 0;     ///< over the step
    std::vector<Crossing> crossings;
};

/// A part of the path of tasks that decides how long the step is.
struct PathShare {
    std::string what;  ///< a class of resources, "launch" or "latency"
    Time time{};
};

/// Bytes of one purpose from a rank to another over the network in a step.
struct RankPair {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::string purpose;
    double bytes = 0;
};

/// What crossed all resources of a class in a step.
struct TierBytes {
    std::string resource;
    double bytes = 0;
};

/// What comes and goes in the memory of a GPU of a stage, each bin at its fullest instant.
struct StageMemory {
    std::uint32_t stage = 0;
    std::vector<double> activations;
    std::vector<double> temporary;
    std::vector<double> micro_batches;     ///< whose activations are kept; a count
    std::vector<double> host_activations;  ///< ... when most of them are outside the GPU
};

/// Groups of ranks of one purpose that send as much between the same stages.
struct GroupTraffic {
    std::string purpose;
    std::uint32_t from_stage = 0;
    std::uint32_t to_stage = 0;
    std::uint32_t first_rank = 0;  ///< of the first group
    std::uint32_t last_rank = 0;
    std::uint32_t ranks = 0;   ///< of each group
    std::uint64_t groups = 1;  ///< that are alike
    double bytes = 0;          ///< of each group in a step
    double nic_bytes = 0;      ///< the part that crossed NICs
};

/// A box of the picture of the machine: a node or a switch, or neighbours of one kind.
struct LoadBox {
    std::string name;
    std::string tier;           ///< "node", "leaf", "spine", "core"
    std::uint64_t members = 1;  ///< that are drawn as one
    double inside = 0;          ///< use of the busiest link inside its nodes
};

/// The cables between two boxes.
struct LoadWay {
    std::uint32_t from = 0;  ///< index into the boxes
    std::uint32_t to = 0;
    std::string kind;
    std::uint64_t cables = 0;
    double mean = 0;  ///< use over the step, of both directions of all cables
    double peak = 0;  ///< of the busiest direction of one
};

struct LoadMap {
    std::vector<LoadBox> boxes;
    std::vector<LoadWay> ways;
};

/// What watching a run adds to its result. sim/replay/observing.md
struct Observed {
    bool paces = false;  ///< the engine tells rates: else no timelines and no losses
    Time bin{};          ///< of the timelines; the last may be cut short
    std::vector<Timeline> timelines;
    std::vector<BusyLink> links;      ///< the busiest first
    std::vector<PathShare> critical;  ///< sums to the step
    std::vector<TierBytes> tiers;
    std::vector<RankPair> pairs;  ///< empty for more than kMostPairRanks ranks
    std::vector<GroupTraffic> groups;
    Time memory_bin{};
    std::vector<StageMemory> memory;  ///< empty for recorded jobs
    LoadMap load;
};

inline constexpr std::size_t kMostPairRanks = 4096;

}  // namespace sim::replay
