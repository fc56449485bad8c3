#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/literals.hpp"
#include "engine/engine.hpp"
#include "memory/ssd.hpp"
#include "memory/tier_path.hpp"

namespace sim::memory
{
namespace
{

using namespace literals;
using End = TierEnd;

/// Copies of a node as activities of the native engine, each over all it crosses.
class Node : public engine::Listener
{
public:
    explicit Node(const NodeTiers& tiers)
        : paths_{tiers}, engine_{engine::make_engine(engine::Kind::native)}
    {
        for (const auto& resource : paths_.resources()) {
            ids_.push_back(engine_->add_resource({resource.name, resource.capacity, {}}));
        }
    }

    void copy(TierEnd from, TierEnd to, bool buffered, Bytes amount)
    {
        std::vector<engine::Use> uses;
        for (const auto& crossing : paths_.copy(from, to, buffered)) {
            uses.push_back({ids_[crossing.resource], crossing.consumption});
            const auto& resource = paths_.resources()[crossing.resource];
            busy_[resource.name] +=
                static_cast<double>(amount.base()) * crossing.consumption / resource.capacity;
        }
        engine_->start(
            {.amount = static_cast<double>(amount.base()), .uses = uses, .token = ends_.size()});
        ends_.emplace_back();
    }
    /// Seconds at which each copy ends, in the order they were given.
    std::vector<double> run()
    {
        engine_->run(*this);
        return ends_;
    }

    /// Seconds at full capacity.
    [[nodiscard]] double busy(const std::string& resource) const { return busy_.at(resource); }

private:
    void finished(std::uint64_t token) override { ends_[token] = engine_->now() / 1_s; }
    void timer(std::uint64_t /*token*/) override {}

    TierPaths paths_;
    std::unique_ptr<engine::Engine> engine_;
    std::vector<ResourceId> ids_;
    std::vector<double> ends_;
    std::map<std::string, double> busy_;
};

/// One socket of 100 GB/s DRAM whose copies reach half of that, a GPU and two drives.
NodeTiers tiers()
{
    NodeTiers node;
    node.sockets = {{100_GBps, 0.8, 0.8, 0.5}};
    node.gpus = {{{3_TBps, 0.9, 0.9, 0.85}, 20_GBps, 0}};
    node.drives = {{14_GBps, 10_GBps, 15_GBps, 0}, {14_GBps, 10_GBps, 15_GBps, 0}};
    return node;
}

TEST(TierContention, ALoneCopyRunsAtItsSlowestPart)
{
    Node node{tiers()};
    node.copy({End::Kind::drive, 0}, {End::Kind::hbm, 0}, false, 28_GB);
    EXPECT_NEAR(node.run()[0], 2, 1e-9);  // 14 GB/s
}

TEST(TierContention, TwoDrivesShareTheGpusSlot)
{
    Node node{tiers()};
    node.copy({End::Kind::drive, 0}, {End::Kind::hbm, 0}, false, 20_GB);
    node.copy({End::Kind::drive, 1}, {End::Kind::hbm, 0}, false, 20_GB);
    const auto ends = node.run();
    EXPECT_NEAR(ends[0], 2, 1e-9);  // 10 GB/s each of 20
    EXPECT_NEAR(ends[1], 2, 1e-9);
}

TEST(TierContention, ReadsAndWritesOfADriveShareNothingButWhatTheyBothCross)
{
    Node node{tiers()};
    node.copy({End::Kind::drive, 0}, {End::Kind::hbm, 0}, false, 28_GB);
    node.copy({End::Kind::hbm, 0}, {End::Kind::drive, 0}, false, 20_GB);
    const auto ends = node.run();
    EXPECT_NEAR(ends[0], 2, 1e-9);  // 14 GB/s in
    EXPECT_NEAR(ends[1], 2, 1e-9);  // 10 GB/s out
}

TEST(TierContention, ABounceBufferStealsTheHostsMemoryFromWhoLoadsData)
{
    // The optimiser on the CPU reads its DRAM: alone 80 GB/s, 1.25 of capacity a byte.
    const auto with = [](bool buffered) {
        auto node = tiers();
        node.gpus.push_back(node.gpus[0]);
        node.pool_link = 200_GBps;
        node.pool = {1_TBps, 1, 1, 1};
        Node run{node};
        run.copy({End::Kind::dram, 0}, {End::Kind::pool, 0}, false, 40_GB);
        run.copy({End::Kind::drive, 0}, {End::Kind::hbm, 0}, buffered, 140_GB);
        return run.run();
    };
    const auto direct = with(false);
    EXPECT_NEAR(direct[0], 0.5, 1e-9);
    EXPECT_NEAR(direct[1], 10, 1e-9);
    // Through a buffer every byte takes 4 of the DRAM: 14 GB/s would take 56, and both want to be
    // equal at 100 / (1.25 + 4) = 19, more than the drive gives, so 44 are left: 35.2 GB/s.
    const auto bounced = with(true);
    EXPECT_NEAR(bounced[0], 40 / 35.2, 1e-9);
    EXPECT_NEAR(bounced[1], 10, 1e-9);
}

/// DeepSpeed issues 998, 1130 and 2034 again, as activities: what is busy for how long.
TEST(UserCase, U36DriveAndSlotAreToldApart)
{
    auto node = tiers();
    node.drives = {{3_GBps, 3_GBps, 15_GBps, 0}};
    Node run{node};
    run.copy({End::Kind::drive, 0}, {End::Kind::hbm, 0}, true, 120_GB);
    run.copy({End::Kind::hbm, 0}, {End::Kind::drive, 0}, true, 120_GB);
    const auto ends = run.run();
    // Reading ahead beside writing back: 40 s each, and the drive is busy both ways throughout.
    EXPECT_NEAR(ends[0], 40, 1e-9);
    EXPECT_NEAR(ends[1], 40, 1e-9);
    EXPECT_NEAR(run.busy("drive0/read"), 40, 1e-9);
    EXPECT_NEAR(run.busy("drive0/write"), 40, 1e-9);
    EXPECT_NEAR(run.busy("gpu0/slot_in"), 6, 1e-9);  // 120 GB at 20 GB/s: not the slot
    EXPECT_NEAR(run.busy("socket0/dram"), 2 * 120 * 4 / 100.0, 1e-9);  // nor the host's memory
}

}  // namespace
}  // namespace sim::memory
