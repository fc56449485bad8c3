#include <gtest/gtest.h>

#include "replay/offload_job.hpp"
#include "replay/tier_use.hpp"

namespace sim::replay
{
namespace
{

using namespace sim::literals;
using spec::DataTier;
using test::experiment;
using test::parameters;
using test::seconds;
using test::simulate;
using test::use_of;

spec::OffloadSpec everything_in(DataTier tier)
{
    spec::OffloadSpec offload;
    offload.weights = {tier, 1};
    offload.gradients = {tier, 1};
    offload.optimizer = {tier, 1};
    offload.activations = {tier, 1};
    offload.update_on_host = true;
    offload.buffers = {.count = 4, .size = 64_MiB};
    return offload;
}

TEST(Offload, NoShareAwayIsNoOffloadToTheLastEvent)
{
    for (const int zero : {0, 2, 3}) {
        auto plain = experiment();
        plain.workload.plan.zero = zero;
        auto none = plain;
        none.workload.offload = everything_in(DataTier::dram);
        for (auto* residence :
             {&none.workload.offload->weights, &none.workload.offload->gradients,
              &none.workload.offload->optimizer, &none.workload.offload->activations}) {
            residence->share = 0;
        }
        const auto expected = simulate(plain);
        const auto result = simulate(none);
        EXPECT_EQ(result.fingerprint, expected.fingerprint) << zero;
        EXPECT_EQ(result.step, expected.step) << zero;
    }
}

TEST(Offload, EndlessLinksAndMemoryMakeItFree)
{
    // The GPU updates, so that no work moves to the host; all that is left is what copies wait.
    auto plain = experiment();
    plain.cluster.node.pcie.lanes = 1 << 30;
    plain.cluster.node.host.dram->modules = 1 << 20;
    auto away = plain;
    away.workload.offload = everything_in(DataTier::dram);
    away.workload.offload->update_on_host = false;
    EXPECT_NEAR(simulate(away).step / simulate(plain).step, 1, 1e-3);
}

TEST(Offload, MorePrefetchIsNeverSlower)
{
    auto job = experiment();
    job.workload.offload = everything_in(DataTier::dram);
    auto before = Time::of(1e9);
    for (const int prefetch : {0, 1, 2, 4, 8}) {
        job.workload.offload->prefetch = prefetch;
        const auto step = simulate(job).step;
        EXPECT_LE(step.base(), before.base() * (1 + 1e-9)) << prefetch;
        before = step;
    }
}

TEST(Offload, ABlockingCopyCostsItsWholeTime)
{
    auto job = experiment();
    job.workload.offload = everything_in(DataTier::dram);
    job.workload.offload->optimizer = {};
    job.workload.offload->update_on_host = false;
    job.workload.offload->blocking = true;
    const auto blocked = simulate(job).step;
    job.workload.offload.reset();
    // Layers' weights come twice, the ends' once, by the slot while no kernel runs.
    const double fetched = 2 * (2 * parameters(job) - 4096 * 1024 - 1024);
    EXPECT_GE((blocked - simulate(job).step).base(), fetched / test::kSlot);
}

TEST(Offload, TheHostsUpdateIsAsLongAsItsCoresTakeForWhatTheyTouch)
{
    // Two cores of 1 GB/s; of each parameter 12 bytes are read and written, a gradient of 4 read
    // and a weight of 2 written: 30. One buffer holds all, so nothing runs beside it.
    auto job = experiment();
    job.cluster.node.host.cpu = spec::HostCpuSpec{.cores = 2, .core_bandwidth = 1_GBps};
    spec::OffloadSpec offload;
    offload.optimizer = {DataTier::dram, 1};
    offload.update_on_host = true;
    offload.buffers = {.count = 1, .size = 100_GB};
    job.workload.offload = offload;
    const auto result = simulate(job);
    EXPECT_NEAR(seconds(result, Entry::host_update), parameters(job) * 30 / 2e9, 1e-6);
}

TEST(Offload, AShareOfTheUpdateTakesThatShareOfTheHostsTime)
{
    auto job = experiment();
    job.cluster.node.host.cpu = spec::HostCpuSpec{.cores = 2, .core_bandwidth = 1_GBps};
    spec::OffloadSpec offload;
    offload.optimizer = {DataTier::dram, 0.25};
    offload.update_on_host = true;
    offload.buffers = {.count = 1, .size = 100_GB};
    job.workload.offload = offload;
    const auto result = simulate(job);
    // The GPU's part runs beside it and takes next to nothing.
    EXPECT_NEAR(seconds(result, Entry::host_update), parameters(job) * 30 / 4 / 2e9, 1e-3);
}

TEST(Offload, ADelayedUpdateRunsUnderTheNextStep)
{
    auto job = experiment();
    job.steps = 4;
    job.cluster.node.host.cpu = spec::HostCpuSpec{.cores = 2, .core_bandwidth = 20_GBps};
    spec::OffloadSpec offload;
    offload.optimizer = {DataTier::dram, 1};
    offload.update_on_host = true;
    offload.buffers = {.count = 2, .size = 1_GB};
    job.workload.offload = offload;
    const auto waits = simulate(job);
    job.workload.offload->delayed_update = true;
    const auto delayed = simulate(job);
    EXPECT_LT(delayed.step, waits.step);
    EXPECT_LT(seconds(delayed, Entry::host_update), seconds(waits, Entry::host_update));
}

TEST(Offload, EveryByteThatLeavesComesBackOrIsUpdated)
{
    // Of each parameter a step writes to host memory a gradient (2) and what the update touches
    // (15 of 30), and reads two weights of 2 and again 15; activations go and come alike.
    auto job = experiment();
    job.workload.offload = everything_in(DataTier::dram);
    const auto result = simulate(job);
    const auto& host = use_of(result, "host memory of a node");
    const auto all = parameters(job);
    const double kept = 8 * 2.0 * 4 * 1024 * 1024;  // the inputs of eight layers
    EXPECT_NEAR(host.written, all * (2 + 15) + kept, 64);
    // The layers' weights come twice, the embedding and the head once.
    const double ends = 2.0 * 4096 * 1024 + 1024;
    EXPECT_NEAR(host.read / (2 * (2 * all - ends) + 15 * all + kept), 1, 1e-3);
}

TEST(Offload, RanksThatDoTheSameAreFoldedToTheSameStep)
{
    auto job = experiment(4);
    job.workload.offload = everything_in(DataTier::dram);
    job.workload.offload->optimizer = {DataTier::storage, 1};
    const auto whole = simulate(job);
    const auto folded = run(job, {engine::Kind::native, Fold::automatic, true});
    EXPECT_LT(folded.instances, whole.instances);
    EXPECT_NEAR(folded.step / whole.step, 1, 1e-9);
    EXPECT_NEAR(seconds(folded, Entry::host_update), seconds(whole, Entry::host_update), 1e-9);
}

TEST(Offload, BothEnginesAgree)
{
    auto job = experiment(2);
    job.workload.offload = everything_in(DataTier::dram);
    job.workload.offload->optimizer = {DataTier::storage, 1};
    const auto other = run(job, {engine::Kind::simgrid, Fold::off, true});
    EXPECT_NEAR(other.step / simulate(job).step, 1, 1e-6);
}

TEST(Offload, StagesOfAPipelineSendTheirActivationsAwayAndGetThemBack)
{
    // Four micro-batches of four sequences through two stages of four layers: each keeps the
    // inputs of its layers, 2 bytes an element.
    auto job = experiment(2);
    auto& plan = job.workload.plan;
    plan.data = 1;
    plan.pipeline = 2;
    plan.zero = 0;
    plan.layers_per_stage = {4, 4};
    job.workload.global_batch = 16;
    spec::OffloadSpec offload;
    offload.activations = {DataTier::dram, 1};
    job.workload.offload = offload;
    const auto result = simulate(job);
    const auto& host = use_of(result, "host memory of a node");
    const double of_stage = 4 * 4 * 2.0 * 4 * 1024 * 1024;
    EXPECT_NEAR(host.written, 2 * of_stage, 1);
    EXPECT_NEAR(host.read, 2 * of_stage, 1);
}

TEST(Offload, DrivesHoldTheStateReadItAndWriteItEachStep)
{
    auto job = experiment();
    job.workload.offload = everything_in(DataTier::dram);
    job.workload.offload->optimizer = {DataTier::storage, 1};
    const auto result = simulate(job);
    const auto& drives = use_of(result, "the drives of a node");
    EXPECT_NEAR(drives.read, 12 * parameters(job), 64);
    EXPECT_NEAR(drives.written, 12 * parameters(job), 64);
    EXPECT_EQ(drives.held, Bytes::of(static_cast<std::int64_t>(12 * parameters(job))));
    // Rated for 1 drive write of 2 TB a day for five years, in random order; in order longer.
    const double a_year = drives.written / result.step.base() * 365 * 86400;
    EXPECT_GE(drives.years, 2e12 * 365 * 5 / a_year);
}

TEST(UserCase, U36AnOptimiserOfTenBillionParametersOnOneDriveIsTheDrivesTime)
{
    // 12 bytes a parameter are read and written: 120 GB each at the drive's 4 GB/s and
    // 32 x 32 KiB in 505 us, from the same dies: 30 s + 57.8 s. The slot idles meanwhile.
    auto job = experiment();
    auto& model = job.workload.model;
    model.hidden = 4096;
    model.heads = 32;
    model.kv_heads = 32;
    model.ffn = 16384;
    model.layers = 50;
    job.workload.plan.layers_per_stage = {50};
    job.workload.global_batch = 1;
    job.workload.micro_batch = 1;
    spec::OffloadSpec offload;
    offload.weights = {DataTier::dram, 1};
    offload.gradients = {DataTier::dram, 1};
    offload.optimizer = {DataTier::storage, 1};
    offload.update_on_host = true;
    offload.buffers = {.count = 4, .size = 1_GB};
    job.workload.offload = offload;
    const auto result = simulate(job);
    const double bytes = 12 * parameters(job);
    const double drive = bytes / test::kFlashRead + bytes / test::kFlashWrite;
    EXPECT_GT(seconds(result, Entry::offload_storage), 0.95 * drive);
    EXPECT_LT(result.step.base(), 1.1 * drive);
    const auto busy = [&](const std::string& kind) {
        for (const auto& resource : result.resources) {
            if (resource.name == kind) {
                return resource.peak_utilisation;
            }
        }
        return 0.0;
    };
    EXPECT_GT(busy("drive"), 0.9);
    EXPECT_LT(busy("pcie"), 0.2);
    EXPECT_LT(busy("sm"), 0.1);
}

TEST(UserCase, U33AFullZero3OffloadOfSevenBillionNeeds18BytesAParameter)
{
    // 6.74e9 parameters: 2 of weights, 4 of gradients, 12 of state are 113 GiB, and half as much
    // beside it for pinned buffers 169 GiB.
    auto job = experiment();
    auto& model = job.workload.model;
    model.hidden = 4096;
    model.heads = 32;
    model.kv_heads = 32;
    model.ffn = 11008;
    model.layers = 32;
    model.vocab = 32000;
    job.workload.plan.layers_per_stage = {32};
    job.workload.offload = everything_in(DataTier::dram);
    job.workload.offload->activations = {};
    job.workload.offload->host_overhead = 0.5;
    job.workload.offload->buffers = {.count = 1, .size = Bytes::of(1)};
    const auto needs = node_tiers(job, 0).peak(0).bytes;
    const double gib = 1 << 30;
    EXPECT_NEAR(static_cast<double>(needs.base()) / gib, 18 * parameters(job) * 1.5 / gib, 1e-3);
    EXPECT_NEAR(static_cast<double>(needs.base()) / gib, 169, 1);
    job.cluster.node.host.dram->capacity = 128_GiB;
    const auto shortages = tier_shortages(job);
    ASSERT_EQ(shortages.size(), 1U);
    EXPECT_EQ(shortages.front().largest.front().owner, "optimizer state of 1 GPU");
    EXPECT_EQ(shortages.front().largest.size(), 3U);
}

}  // namespace
}  // namespace sim::replay
