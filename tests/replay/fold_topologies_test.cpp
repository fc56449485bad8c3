#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "config/load.hpp"
#include "core/scratch_folder.hpp"
#include "replay/fold_compare.hpp"

namespace sim::replay::test
{
namespace
{

/// Larger machines take minutes when nothing is folded, and have a smaller sister here.
constexpr int kMostRanks = 1024;

/// The small model, two ways tensor and two ways pipeline parallel, on a shipped machine.
spec::ExperimentSpec on_shipped(const std::filesystem::path& topology)
{
    const std::string source{WEFTSIM_SOURCE_DIR};
    const ScratchFolder folder;
    const auto path = folder.path(topology.filename().string());
    // The batch divides over any number of replicas until it is known how many there are.
    std::ofstream{path} << "format: 1\ncluster: { extends: " << topology.string()
                        << " }\nworkload:\n  model: " << source
                        << "/workloads/llama2-7b/config.json\n"
                           "  sequence: 512\n  global_batch: 46126080\n  micro_batch: 1\n"
                           "  precision: bf16\n  gradient_precision: bf16\n"
                           "  parallel: { tensor: 2, pipeline: 2, zero: 1 }\n"
                           "  framework: { extends: "
                        << source << "/configs/hardware/framework/megatron-core.yaml }\n";
    auto spec = config::load_experiment(path, {}).spec;
    auto small = experiment({.tensor = 2, .pipeline = 2, .data = spec.workload.plan.data});
    small.workload.plan.zero = 1;
    small.cluster = spec.cluster;
    return small;
}

TEST(Fold, GivesTheStepOfTheWholeRunOnEveryShippedTopology)
{
    const std::filesystem::path source{WEFTSIM_SOURCE_DIR};
    const auto topologies = source / "topologies";
    for (const auto& entry : std::filesystem::directory_iterator{topologies}) {
        SCOPED_TRACE(entry.path().filename().string());
        const auto spec = on_shipped(entry.path());
        if (4 * spec.workload.plan.data > kMostRanks) {
            continue;
        }
        const auto instances = fold_and_compare(spec);
        RecordProperty(entry.path().stem().string(), static_cast<int>(instances));
    }
}

}  // namespace
}  // namespace sim::replay::test
