#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/literals.hpp"
#include "replay/run.hpp"
#include "replay/small_cluster.hpp"

namespace sim::replay::test
{

/// How the small model is cut.
struct Plan {
    int tensor = 1;
    int pipeline = 1;
    int data = 1;
    int zero = 0;
    std::vector<int> layers{};
};

/// A small model, cut as the plan says, on nodes of eight GPUs.
inline spec::ExperimentSpec experiment(const Plan& plan)
{
    using namespace sim::literals;
    spec::ExperimentSpec experiment;
    const int ranks = plan.tensor * plan.pipeline * plan.data;
    auto& cluster = experiment.cluster;
    cluster = ideal_cluster(std::max(1, (ranks + 7) / 8), 8);
    std::get<spec::LeafSpineSpec>(cluster.fabric.network).nodes_per_leaf = 2;
    cluster.fabric.cable_latency = 100_ns;
    cluster.node.nvlink.latency = 3_us;
    cluster.node.nic.latency = 2_us;
    cluster.node.gpu.kernel_launch = 3_us;
    cluster.collective = {.name = "library", .channel_sms = 12, .launch = 8_us};
    auto& workload = experiment.workload;
    workload.model = {.name = "small",
                      .hidden = 512,
                      .layers = 8,
                      .heads = 8,
                      .kv_heads = 8,
                      .head_dim = 64,
                      .ffn = 1024,
                      .vocab = 4096};
    workload.sequence = 512;
    workload.global_batch = 4 * plan.data;
    workload.micro_batch = 1;
    workload.plan.tensor = plan.tensor;
    workload.plan.pipeline = plan.pipeline;
    workload.plan.data = plan.data;
    workload.plan.zero = plan.zero;
    workload.plan.sequence_parallel = plan.tensor > 1;
    workload.plan.layers_per_stage =
        plan.layers.empty() ? std::vector<int>(plan.pipeline, 8 / plan.pipeline) : plan.layers;
    workload.framework.gradient_bucket = 4_MB;
    workload.framework.optimizer_bytes_per_parameter = 34;
    workload.framework.optimizer_state_bytes = 12;
    return experiment;
}

inline double largest_difference(const RankClass& a, const RankClass& b)
{
    double most = 0;
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
        most = std::max(most, std::abs((a.ledger[entry] - b.ledger[entry]).base()));
    }
    EXPECT_EQ(a.communication.size(), b.communication.size());
    for (std::size_t i = 0; i < a.communication.size(); ++i) {
        EXPECT_DOUBLE_EQ(a.communication[i].bytes_sent, b.communication[i].bytes_sent);
        EXPECT_DOUBLE_EQ(a.communication[i].nic_bytes_sent, b.communication[i].nic_bytes_sent);
        EXPECT_EQ(a.communication[i].binding, b.communication[i].binding);
    }
    return most;
}

inline const RankClass& class_of(const Result& result, std::uint32_t rank)
{
    return *std::find_if(result.classes.begin(), result.classes.end(), [&](const RankClass& c) {
        return std::binary_search(c.members.begin(), c.members.end(), rank);
    });
}

inline void expect_equal(const Result& folded, const Result& whole)
{
    const auto step = whole.step.base();
    EXPECT_NEAR(folded.step / whole.step, 1, 1e-9);
    ASSERT_EQ(folded.resources.size(), whole.resources.size());
    for (std::size_t r = 0; r < whole.resources.size(); ++r) {
        const auto& a = folded.resources[r];
        const auto& b = whole.resources[r];
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.members, b.members);
        EXPECT_NEAR(a.mean_utilisation, b.mean_utilisation, 1e-9) << a.name;
        EXPECT_NEAR(a.peak_utilisation, b.peak_utilisation, 1e-9) << a.name;
        EXPECT_DOUBLE_EQ(a.capacity, b.capacity) << a.name;
    }
    for (const auto& one : whole.classes) {
        for (const auto rank : one.members) {
            EXPECT_LE(largest_difference(class_of(folded, rank), one), 1e-9 * step) << rank;
        }
    }
    EXPECT_EQ(folded.binding, whole.binding);
    EXPECT_NEAR(folded.hfu, whole.hfu, 1e-9);
}

/// Both ways, compared; the number of instances the folded one ran.
inline std::uint64_t fold_and_compare(const spec::ExperimentSpec& experiment)
{
    const auto folded = run(experiment, {});
    const auto whole = run(experiment, {.fold = Fold::off});
    expect_equal(folded, whole);
    EXPECT_EQ(whole.folding, "not folded");
    return folded.instances;
}

}  // namespace sim::replay::test
