#include "sweep/residence_search.hpp"

#include <gtest/gtest.h>

#include "core/literals.hpp"
#include "memory/round_drive.hpp"
#include "replay/copy_cluster.hpp"
#include "sweep/small_job.hpp"

namespace sim::sweep
{
namespace
{

using namespace sim::literals;
using spec::DataTier;

/// 100 M parameters on one GPU with host memory and a drive.
spec::ExperimentSpec job(Bytes gpu_memory)
{
    auto e = small_job(gpu_memory);
    e.cluster = replay::test::tiered_cluster(1, 1, 1, 1);
    e.cluster.node.gpu.memory = gpu_memory;
    e.cluster.node.host.cpu = spec::HostCpuSpec{.cores = 8, .core_bandwidth = 8_GBps};
    auto& w = e.workload;
    w.model.vocab = 4096;
    w.model.gated_mlp = false;
    w.plan.data = 1;
    w.sequence = 1024;
    w.global_batch = 2;
    w.plan.zero = 3;
    w.recompute = spec::Recompute::full;
    w.gradient_precision = spec::Precision::bf16;
    w.framework.gradient_bucket = 4_MB;
    w.offload = spec::OffloadSpec{};
    w.offload->buffers = {.count = 2, .size = 16_MiB};
    return e;
}

replay::Result simulate(const spec::ExperimentSpec& experiment)
{
    return replay::run(experiment, {engine::Kind::native, replay::Fold::off, false});
}

TEST(ResidenceSearch, WhatFitsStaysWhereItIs)
{
    const auto found = place(job(80_GB), simulate);
    ASSERT_TRUE(found.best.has_value());
    EXPECT_TRUE(spec::moves_nothing(found.best->offload));
}

TEST(ResidenceSearch, ComesToWhatTryingEverythingComesTo)
{
    for (const auto memory : {1400_MB, 1000_MB, 700_MB}) {
        const auto experiment = job(memory);
        const auto all = place_exhaustively(experiment, simulate);
        const auto found = place(experiment, simulate);
        ASSERT_TRUE(all.best.has_value());
        ASSERT_TRUE(found.best.has_value());
        EXPECT_LE(found.best->step.base(), all.best->step.base() * (1 + 1e-9));
        EXPECT_LT(found.simulated, all.simulated);
    }
}

TEST(ResidenceSearch, SaysWhenNothingFits)
{
    EXPECT_FALSE(place(job(1_MB), simulate).best.has_value());
}

}  // namespace
}  // namespace sim::sweep
